//! A stack.
use std::fmt;
use std::collections::HashMap;

pub const LIMIT: usize = 8;
static mut COUNT: u32 = 0;
type Result<T> = std::result::Result<T, StackError>;

/// What can go wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum StackError {
    Full,
    Empty { at: usize },
}

/// A stack of T.
pub struct Stack<T> {
    items: Vec<T>,
}

impl<T: Clone> Stack<T> {
    const ROOM: usize = 4;

    /// Pushes.
    #[inline]
    pub fn push(&mut self, item: T) -> Result<()> {
        if self.items.len() == LIMIT {
            return Err(StackError::Full);
        }
        self.items.push(item);
        Ok(())
    }
}

impl<T> fmt::Display for Stack<T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "stack")
    }
}

pub trait Visit {
    type Output;
    fn visit(&self) -> Self::Output;
}

macro_rules! stack {
    ($($x:expr),*) => { Stack { items: vec![$($x),*] } };
}

union Bits { i: u32, f: f32 }

extern "C" {
    fn abs(x: i32) -> i32;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pushes() {
        assert!(stack![1].push(2).is_ok());
    }
}

cfg_rt! {
    /// Runs it in the background.
    pub fn spawn(name: &str) -> Task {
        Task { name: name.replace('{', "}") } // {
    }

    pin_project! {
        #[derive(Debug)]
        pub struct Task { #[pin] name: String }
    }
}

bitflags! {
    pub struct Flags: u32 { const A = 1; }
}
