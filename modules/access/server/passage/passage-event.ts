import type { Id } from '#kit/domain/id.ts'
import { defineEvent } from '#kit/server/event.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { OpenMethod } from '../../contract/choices.ts'

/** One passing as it was stored. */
export interface StoredPassage {
  readonly id: Id
  readonly projectCode: string
  readonly doorwayId: Id
  readonly deviceId: Id
  /** The device's own number of it. */
  readonly recordKey: string
  /** The device had asked whether it may open. */
  readonly isDecided?: boolean | undefined
  /** The credential as devices hold it. */
  readonly itemKey?: string | undefined
  readonly openMethod: OpenMethod
  readonly openStatus: 'opened' | 'refused'
  readonly direction: 'entrance' | 'exit' | 'both'
  /** ISO instant. */
  readonly at: string
  readonly userId?: Id | undefined
  readonly staffId?: Id | undefined
  readonly plateNo?: string | undefined
  /** Of one that did not open. */
  readonly reason?: string | undefined
}

/**
 * What came through the doors: each passing once, in the transaction that stores it, all of a batch together.
 * What a listener throws undoes the batch, and each is tried by itself.
 */
export const [onPassage, publishPassages] =
  defineEvent<[tx: Tx, scope: Scope, passages: readonly StoredPassage[]]>()
