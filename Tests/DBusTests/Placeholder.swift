// Tests of this folder follow.
