import type { Store, Tx } from '../db.ts'

/**
 * A moment at which something may break: before a statement or the commit of a transaction (`tx` says which),
 * or right after a commit, when nobody has been told yet.
 */
export type Strike = (tx: Tx | undefined) => void | Promise<void>

/**
 * A store that calls at every such moment. Who is called may throw (the connection was cut), never come back,
 * or end the process: all one to the deed. Only tests can stand here: a server takes such a store from the
 * code that opens it, never from its environment or a call.
 */
export function watched(store: Store, strike: Strike): Store {
  const through = (tx: Tx): Tx => {
    // Statements that were said together stay in line: what comes after the one that breaks is never sent.
    let line: Promise<void> = Promise.resolve()
    const turn = (): Promise<void> => (line = line.then(() => strike(tx)))
    return {
      ...tx,
      rows: async q => (await turn(), tx.rows(q)),
      one: async q => (await turn(), tx.one(q)),
      run: async q => (await turn(), tx.run(q)),
      all: async (...qs) => (await turn(), tx.all(...qs)) as never,
    }
  }
  return {
    ...store,
    tx: async (owner, work) => {
      const answer = await store.tx(owner, async tx => {
        const done = await work(through(tx))
        await strike(tx)
        return done
      })
      await strike(undefined)
      return answer
    },
  }
}

export class Cut extends Error {}

/** Counts the moments and cuts at the n-th. */
export function cutting(store: Store, at: number): Store & { readonly said: number } {
  const count = { said: 0 }
  return Object.assign(
    count,
    watched(store, () => {
      if (++count.said === at) throw new Cut()
    }),
  )
}
