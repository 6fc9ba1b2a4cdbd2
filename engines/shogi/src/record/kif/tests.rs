#![allow(clippy::unwrap_used)]
use super::*;

/// Returns the start position and the moves of each game, with the error at which reading stopped.
fn games(text: &str) -> Vec<String> {
    let shown = |game: ReadGame| {
        let (line, fault) = game.into_line().unwrap();
        let start = line.start.text.map_or_else(|| "startpos".into(), |text| text.to_string());
        let moves: String = line.moves.iter().map(|text| format!(" {text}")).collect();
        format!("{start}{moves}{}", fault.map(|fault| format!(" | {fault}")).unwrap_or_default())
    };
    read(text).unwrap().into_iter().map(shown).collect()
}

fn refused(text: &str) -> String {
    let fault = |games: Vec<ReadGame>| games.into_iter().find_map(|game| game.into_line().err());
    let why = read(text).map_or_else(Some, fault);
    why.unwrap().to_string()
}

const TABLE: &str = "手合割：平手\n手数----指手---------消費時間--\n";
const TWO: &str = "   1 ７六歩(77)   ( 0:01/00:00:01)\n   2 ３四歩(33)   ( 0:02/00:00:02)\n";

#[test]
fn variations_are_skipped_and_do_not_begin_a_game() {
    let variation = "変化：2手\n   2 ８四歩(83)\n";
    let nested = "変化：3手\n   3 ２六歩(27)\n   4 ８四歩(83)\nまで4手で中断\n";
    for text in [
        format!("{TABLE}{TWO}まで2手で中断\n\n{variation}"),
        format!("{TABLE}{TWO}{variation}"),
        format!(
            "{TABLE}{TWO}   3 投了\nまで2手で後手の勝ち\n*comment\n\n{nested}\n変化：2手\n   2 ４四歩(43)\n{variation}まで2手で中断\n"
        ),
        format!(
            "{TABLE}   1 ７六歩(77)+\n   2 ３四歩(33)+\nまで2手で中断\n変化：1手\n*why\n   1 ２六歩(27)\n   2 ３四歩(33)\n"
        ),
    ] {
        assert_eq!(games(&text), ["startpos 7g7f 3c3d"], "{text}");
        let another = format!("{text}\n{TABLE}   1 ２六歩(27)\n");
        assert_eq!(games(&another), ["startpos 7g7f 3c3d", "startpos 2g2f"], "{another}");
    }
}

#[test]
fn games_follow_one_another_with_or_without_headers() {
    let whole = format!("{TABLE}{TWO}まで2手で中断\n");
    for text in
        [whole.repeat(2), format!("{TWO}まで2手で中断\n{TWO}"), format!("{whole}変化：2手\n   2 ８四歩(83)\n{TWO}")]
    {
        assert_eq!(games(&text), ["startpos 7g7f 3c3d"; 2], "{text}");
    }
    assert_eq!(games("棋戦：nothing\n先手：nobody\n"), [""; 0], "a header with names only");
    assert_eq!(games("手合割：香落ち\n"), ["lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"]);
}

#[test]
fn unknown_headers_are_skipped() {
    let odd = "#KIF version=2.0 encoding=UTF-8\n*先手省略名：x\n手数：5手詰(参考)\n先手:a\nURL：https://example.org/a:b\n&bookmark\n盤面回転\n";
    assert_eq!(games(&format!("{odd}{TABLE}{odd}{TWO}")), ["startpos 7g7f 3c3d"]);
    assert_eq!(refused("hello\n"), "line 1: expected a line of a record, found 'hello'");
    assert_eq!(refused(&format!("{TABLE}{TWO}hello\n")), "line 5: expected a line of a record, found 'hello'");
}

/// Returns a diagram in which a gold mates, with the lines `white` and `black` for the hands.
fn diagram(black: &str, white: &str, below: &str) -> String {
    let empty = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n";
    format!(
        "{white}\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n\
         | ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n{empty}| ・ ・ ・ ・ と ・ ・ ・v歩|三\n{}+---------------------------+\n{black}\n{below}\n",
        empty.repeat(6)
    )
}

#[test]
fn lines_with_a_number_of_moves_are_skipped() {
    let board = "4k4/9/4+P3p/9/9/9/9/9/9";
    for below in ["手数＝0  まで", "手数＝12  △３四歩  まで", "", "先手番\n手数＝0  まで"] {
        assert_eq!(games(&diagram("先手の持駒：金", "後手の持駒：なし", below)), [format!("{board} b G 1")], "{below}");
    }
    let white = diagram("先手の持駒：なし", "後手の持駒：飛　歩十二", "後手番");
    // Without a black king, the position cannot be played, but may be a mate problem in which the defender moves first.
    let found = read(&white.repeat(2)).unwrap();
    let starts: Vec<&str> = found.iter().map(|game| game.line.start.text.as_deref().unwrap()).collect();
    assert_eq!(starts, [&*format!("{board} w r12p 1"); 2], "two diagrams");
    assert!(found[0].clone().into_line().is_err());
}

#[test]
fn hands_are_read_in_all_usual_forms() {
    let hand = |black: &str, white: &str| {
        let found = games(&diagram(black, white, ""));
        found[0].split(' ').nth(2).unwrap().to_owned()
    };
    for (black, found) in [
        ("先手の持駒：金３", "3G"),
        ("先手の持ち駒：金3　歩１８", "3G18P"),
        ("攻方の持駒：飛車　角行　歩兵十二", "RB12P"),
        ("攻め方の持駒：金三枚、銀", "3GS"),
        ("下手の持駒：", "-"),
        ("先手の持駒：歩　歩", "2P"),
    ] {
        assert_eq!(hand(black, "後手の持駒：なし"), found, "{black}");
    }
    let rest = "2r2b3g4s4n4l16p";
    for white in ["後手の持駒：残り全部", "玉方の持駒：残り", "受方の持駒：残り駒全部", "後手の持ち駒：残りすべて"]
    {
        assert_eq!(hand("先手の持駒：金", white), format!("G{rest}"), "{white}");
    }
    for junk in ["後手の持駒：金が三つ", "後手の持駒：玉", "誰かの持駒：金", "後手の持駒：金x"]
    {
        assert_eq!(
            refused(&diagram("先手の持駒：金", junk, "")),
            format!("line 1: expected a line of a record, found '{junk}'")
        );
    }
}

#[test]
fn a_diagram_overrides_the_handicap() {
    let problem =
        |head: &str| games(&format!("{head}\n{}   1 ５二金打\n   2 中断\n", diagram("先手の持駒：金", "", "")));
    for head in ["手合割：詰将棋", "手合割：平手", "手合割：その他", ""] {
        assert_eq!(problem(head), ["4k4/9/4+P3p/9/9/9/9/9/9 b G 1 G*5b"], "{head}");
    }
    assert_eq!(
        refused("手合割：詰将棋\n   1 ５二金打\n"),
        "line 1: expected a line of a record, found '手合割：詰将棋'"
    );
    assert!(refused("手合割：平手\n先手の持駒：金\n   1 ５二金打\n").starts_with("expected a diagram"));
    assert!(refused(&diagram("", "", "").replacen("・|\n", "|\n", 1)).starts_with("line "), "eight squares");
}

#[test]
fn moves_are_read_in_the_forms_that_programs_write() {
    for line in [
        "1   ７六歩(77)   (0:4/0:0:4)",
        "   1 ７六歩(77)+",
        "1 ７六歩（７７） 0:05",
        "1. 7六歩(77)",
        "１　７六歩（77）　( 0:01)",
        "   1 ▲７六歩(77)",
        "   1 ７六歩   ( 0:00/00:00:00)",
    ] {
        assert_eq!(games(&format!("{TABLE}{line}\n")), ["startpos 7g7f"], "{line}");
    }
    let drop = format!("{TABLE}{TWO}   3 ２二角成(88)\n   4 同　銀(31)\n   5 ３三角打(00)\n");
    assert_eq!(games(&drop), ["startpos 7g7f 3c3d 8h2b+ 3a2b B*3c"]);
    assert!(
        refused(&format!("{TABLE}   1 ７六歩(77) 2 ３四歩(33)\n")).starts_with("line 3: "),
        "two moves in one line"
    );
}

#[test]
fn moves_with_the_signs_of_their_players_are_read_as_ki2() {
    for text in [
        "手合割：平手\n\n▲７六歩    △３四歩\n▲２二角成  △同　銀\nまで4手で中断\n",
        "先手：a\n▲７六歩△３四歩▲２二角成△同　銀△投了\n",
        "☗７六歩 ☖３四歩\n*comment ▲５五角\n☗２二角成 ☖同銀\n変化：1手\n▲２六歩\n",
    ] {
        assert_eq!(games(text), ["startpos 7g7f 3c3d 8h2b+ 3a2b"], "{text}");
    }
    assert!(refused("▲７六歩 ▲２六歩 △３四歩\n").contains("ply 2: expected a legal move, found '▲２六歩'"));
}

#[test]
fn an_illegal_move_is_accepted_only_at_the_end() {
    let foul = format!("{TABLE}{TWO}   3 ２六歩(77)\n   4 反則勝ち\nまで3手で後手の勝ち\n変化：1手\n   1 ２六歩(27)\n");
    assert_eq!(games(&foul), ["startpos 7g7f 3c3d | game 1: line 5: ply 3: expected a legal move, found '２六歩(77)'"]);
    let middle = foul.replace("反則勝ち", "８四歩(83)");
    assert_eq!(refused(&middle), "game 1: line 5: ply 3: expected a legal move, found '２六歩(77)'");
    for end in ["封じ手", "3時間で終わり"] {
        let found = games(&format!("{TABLE}{TWO}   3 {end}\n"));
        assert!(found[0].starts_with("startpos 7g7f 3c3d"), "{found:?}");
    }
    let ambiguous = refused(&format!("{TABLE}{TWO}   3 ２二角\n   4 投了\n   5 ８四歩(83)\n"));
    assert!(ambiguous.contains("expected one move, found '２二角'"), "{ambiguous}");
}
