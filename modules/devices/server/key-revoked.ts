/** The agent's key is gone: what it sent is not taken. */
export class KeyRevoked extends Error {}
