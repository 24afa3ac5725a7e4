type Listener<A extends readonly unknown[]> = (...about: A) => unknown

/**
 * An event that a module publishes inside the transaction that makes it so, for modules that it does not
 * know: `export const [onRoomMoved, publishRoomMoved] = defineEvent<[tx: Tx, scope: Scope, room: Room]>()`.
 * Listeners are awaited one after the other; what one of them refuses undoes the transaction.
 */
export function defineEvent<A extends readonly unknown[]>(): readonly [
  subscribe: (listener: Listener<A>) => void,
  publish: (...about: A) => Promise<void>,
] {
  const listeners: Listener<A>[] = []
  return [
    listener => void listeners.push(listener),
    async (...about) => {
      for (const listener of listeners) {
        await listener(...about)
      }
    },
  ]
}
