// Inserts the HTML fragments from the server into the page, and shows the details of the selected item.
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const kind = document.body.className;
  // The query of the shown detail; before the first selection, the detail that the view suggests, or null.
  let chosen = byId("detail").dataset.first ?? null;

  const address = (path, query) => {
    const all = new URLSearchParams(location.search);
    for (const name of [...all.keys()]) if (name !== "lang" && name !== "token") all.delete(name);
    for (const [name, value] of new URLSearchParams(query)) all.set(name, value);
    return path + "?" + all;
  };

  // Replaces the contents of an element, but keeps its scroll position and the focus inside it.
  const put = (place, html) => {
    const focus = document.activeElement;
    const inside = place.contains(focus);
    const scroll = place.scrollTop;
    // A step link of a replay has a different address each time, so the link is recognized by its `rel`.
    const link = () => focus.rel ? `a[rel=${focus.rel}]` : `a[href="${CSS.escape(focus.getAttribute("href") || "")}"]`;
    const name = inside && (focus.id ? "#" + CSS.escape(focus.id) : link());
    place.innerHTML = html;
    place.scrollTop = scroll;
    if (name) place.querySelector(name)?.focus({ preventScroll: true });
    mark();
  };

  const mark = () => {
    for (const link of document.querySelectorAll("a[data-detail]:not([rel])")) {
      const href = link.getAttribute("href");
      const inside = byId("detail").contains(link);
      if (chosen === href || (!inside && chosen?.startsWith(href + "&"))) link.setAttribute("aria-current", "true");
      // Inside the details, the program has already marked the move on the board.
      else if (!inside) link.removeAttribute("aria-current");
    }
  };

  // A screen reader announces only the selected item, because the rest of the page changes all the time.
  const say = () => {
    const detail = byId("detail");
    byId("said").textContent = (detail.querySelector(".moves [aria-current]") || detail.querySelector("h2") || detail).textContent;
  };

  let shown = "";
  const showDetail = async () => {
    if (chosen === null) return;
    const asked = chosen;
    const answer = await fetch(address("detail", asked)).catch(() => null);
    if (!answer || asked !== chosen) return;
    const html = await answer.text();
    if (html === shown) return;
    shown = html;
    put(byId("detail"), html);
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-detail]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    chosen = link.getAttribute("href");
    history.replaceState(null, "", address(location.pathname, chosen));
    mark();
    showDetail().then(() => {
      say();
      if (innerWidth < 800 && !byId("detail").contains(link)) byId("detail").scrollIntoView({ block: "start" });
    });
  });

  // The arrow keys, Home and End step through a replay.
  document.addEventListener("keydown", (event) => {
    const rel = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" }[event.key];
    const link = rel && !event.altKey && !event.ctrlKey && !event.metaKey && byId("detail").querySelector(`a[rel=${rel}]`);
    if (link) {
      event.preventDefault();
      link.click();
    }
  });

  const first = new URLSearchParams(location.search);
  for (const name of ["lang", "token"]) first.delete(name);
  if (String(first)) {
    chosen = "?" + first;
    mark();
  }

  const source = new EventSource(address("events", ""));
  let last = 0;
  source.addEventListener("parts", (event) => {
    const news = JSON.parse(event.data);
    if (news.kind !== kind) return location.reload();
    byId("connection").textContent = "";
    byId("title").textContent = news.title;
    document.title = news.title + " - Hasami";
    for (const [id, html] of Object.entries(news.parts)) {
      const place = byId(id);
      if (!place) return location.reload();
      put(place, html);
    }
    if (Date.now() - last > 1000) {
      last = Date.now();
      showDetail();
    }
  });
  source.addEventListener("error", () => {
    byId("connection").textContent = byId("connection").dataset.lost;
  });
})();
