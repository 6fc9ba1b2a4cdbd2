//! Plain iterative deepening by number of moves, as in Hashimoto et al. 2001. The first mate found is a shortest one.

use crate::algorithm::{Capabilities, Description, MateAlgorithm, MateJob, Registered, answered};
use crate::core::deepening::deepen;
use crate::core::replay::add_moves;
use crate::core::within::{Refutations, Within};
use crate::interface::findings::MateFindings;
use crate::interface::options::SolverOptions;
use hasami_api::{MateGame, Moves, Report};

pub(crate) struct Deepening;

impl Registered for Deepening {
    const DESCRIPTION: Description = Description {
        name: "id",
        summary: "iterative deepening by moves, plain (Hashimoto et al. 2001): the first mate found is a shortest one",
        capabilities: Capabilities { shortest: true, ..Capabilities::NONE },
    };

    fn new(_options: &SolverOptions, _bytes: usize) -> Self {
        Self
    }
}

impl<G: MateGame> MateAlgorithm<G> for Deepening {
    fn solve(&mut self, job: &MateJob<G>, tell: &mut dyn FnMut(Report)) -> MateFindings {
        let checks = !job.request.any_moves;
        let mut roots = Moves::new();
        add_moves(job.game, checks, &mut roots);
        // A refutation may depend on the moves before the problem's position, so no refutation is kept for other
        // problems.
        let mut known = Refutations::default();
        let mut search = Within::new(job.game.clone(), roots.to_vec(), checks, &mut known, job.stop, job.node_limit());
        let answer = deepen(&mut search, job.game, job.longest().div_ceil(2), tell);
        answered(answer, search.nodes)
    }
}
