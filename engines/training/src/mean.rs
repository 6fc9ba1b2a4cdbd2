//! The mean of two networks (Wortsman et al. 2022). If one of them was trained from the other, a mean keeps much of what
//! the training gained on its positions, and much of what the first network knows about all others.

use crate::parameters::{Layout, Shape, dequantise, quantise};
use crate::train::TrainingError;
use hasami_nnue::OwnNetwork;

/// Returns the network whose parameters are (1 - `share`) times those of `one` plus `share` times those of `other`.
///
/// # Errors
/// Returns an error if the networks differ in game, width, number of outputs or king buckets.
pub fn mean(one: &OwnNetwork, other: &OwnNetwork, share: f32, description: &str) -> Result<OwnNetwork, TrainingError> {
    let shape = Shape::of_network(one);
    let mut properties = shape.properties().into_iter().zip(Shape::of_network(other).properties());
    if let Some(((part, wanted), (_, found))) = properties.find(|(wanted, found)| wanted != found) {
        return Err(TrainingError::Network { part, wanted, found });
    }
    let layout = Layout::new(&shape, &shape.features());
    let [mut parameters, others] = [one, other].map(|network| dequantise(&shape, &layout, network, 0));
    parameters.iter_mut().zip(others).for_each(|(parameter, other)| *parameter += share * (other - *parameter));
    Ok(quantise(&shape, &layout, &parameters, description))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasami_nnue::{NetworkGame, built_in_file};

    #[test]
    fn a_mean_lies_between_its_networks() {
        let one = OwnNetwork::parse(built_in_file(NetworkGame::Chess)).expect("a network");
        let mut other = one.clone();
        other.biases.iter_mut().for_each(|bias| *bias += 100);
        let none = mean(&one, &other, 0.0, "").expect("equal shapes");
        assert!(none.weights == one.weights && none.biases == one.biases);
        let between = mean(&one, &other, 0.25, "").expect("equal shapes");
        assert!(between.biases.iter().zip(&one.biases).all(|(found, bias)| *found == bias + 25));
        other.width -= 128;
        assert!(matches!(mean(&one, &other, 0.5, ""), Err(TrainingError::Network { part: "--width", .. })));
    }
}
