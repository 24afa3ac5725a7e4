import type { Id } from '#kit/domain/id.ts'
import { defineEvent } from '#kit/server/event.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { Tx } from '#kit/server/db.ts'

interface SavedDomain {
  readonly managerId: Id
  readonly allProject: boolean
  readonly projectCodes: readonly string[]
}

/** The projects of an account were replaced: what was allowed in those taken away ends. */
export const [onDataDomainSaved, publishDataDomainSaved] =
  defineEvent<[tx: Tx, scope: Scope, saved: SavedDomain]>()
