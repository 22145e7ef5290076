/* SPDX-License-Identifier: Apache-2.0 */
/// Tells the thread sanitizer of contended locks and unlocks of `Synchronization.Mutex`; a target that depends on it imports
/// nothing.
