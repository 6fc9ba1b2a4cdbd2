//! The link between a host and its cells within one process. Each message arrives after the machine's message delay.

use crate::core::machine::Processor;
use crate::interface::cell_link::{CellEvent, CellLinks, HostLink};
use crate::interface::cell_message::{CellOrder, CellReply};
use crate::interface::options::SearchMachine;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Messages, each with the time from which it can be read.
type MessageQueue<T> = Mutex<VecDeque<(u64, T)>>;

/// The link between a host, which runs on the first processor, and its cells.
pub(crate) struct CellExchange {
    /// Whether a virtual clock delays messages. Threads have no common clock, so their messages arrive at once.
    is_virtual: bool,
    delay: u64,
    to_cells: Vec<MessageQueue<CellOrder>>,
    to_host: MessageQueue<(usize, CellEvent)>,
}

impl CellExchange {
    pub(crate) fn new(machine: &SearchMachine, cells: usize) -> Self {
        let delay = match *machine {
            SearchMachine::Threads(_) => 0,
            SearchMachine::Virtual { delay, .. } => delay,
        };
        Self {
            is_virtual: machine.is_virtual(),
            delay,
            to_cells: (0..cells).map(|_| MessageQueue::default()).collect(),
            to_host: MessageQueue::default(),
        }
    }

    /// Appends a message to a queue, to be read once its delay has passed.
    fn put<T>(&self, queue: &MessageQueue<T>, message: T, sender: &Processor) {
        let due = sender.clock().saturating_add(self.delay);
        queue.lock().unwrap_or_else(PoisonError::into_inner).push_back((due, message));
        sender.wake();
    }

    fn get<T>(&self, queue: &MessageQueue<T>, reader: &Processor) -> Option<T> {
        let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
        let has_come = |&(due, _): &(u64, T)| !self.is_virtual || due <= reader.clock();
        let first = queue.iter().position(has_come)?;
        queue.remove(first).map(|(_, message)| message)
    }
}

/// The host's side of the link.
pub(crate) struct HostSide<'a> {
    pub(crate) exchange: &'a CellExchange,
    pub(crate) processor: &'a Processor,
}

impl CellLinks for HostSide<'_> {
    fn cells(&self) -> usize {
        self.exchange.to_cells.len()
    }

    fn send(&mut self, cell: usize, order: CellOrder) {
        self.exchange.put(&self.exchange.to_cells[cell], order, self.processor);
    }

    fn take(&mut self) -> Option<(usize, CellEvent)> {
        self.exchange.get(&self.exchange.to_host, self.processor)
    }

    fn wait(&mut self) {
        self.processor.idle();
    }

    fn dismiss(&mut self, _cell: usize, _why: &str) {}
}

/// A cell's side of the link.
pub(crate) struct CellSide<'a> {
    pub(crate) exchange: &'a CellExchange,
    pub(crate) processor: &'a Processor,
    pub(crate) cell: usize,
    /// Start and end of each period during which the cell was idle; `None` if idle periods are not recorded.
    pub(crate) idle: Option<Vec<(u64, u64)>>,
}

impl HostLink for CellSide<'_> {
    fn take(&mut self) -> Option<CellOrder> {
        self.exchange.get(&self.exchange.to_cells[self.cell], self.processor)
    }

    fn wait(&mut self) -> bool {
        let from = self.processor.clock();
        self.processor.idle();
        if let Some(idle) = &mut self.idle {
            let to = self.processor.clock();
            match idle.last_mut() {
                Some(last) if last.1 == from => last.1 = to,
                _ => idle.push((from, to)),
            }
        }
        !self.processor.stop().is_stopped()
    }

    fn send(&mut self, reply: CellReply) {
        self.exchange.put(&self.exchange.to_host, (self.cell, CellEvent::Message(reply)), self.processor);
    }
}
