import { sql, type RawBuilder } from '#kit/server/db.ts'
import { SignInRequired, type AnonymousContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'

/** The scope of a handler that asks the platform: it opens its transactions itself, after the answer. */
export function scopeOfCaller({ caller, app, ip, requestId }: AnonymousContext): Scope {
  if (!caller) throw new SignInRequired()
  return { ...caller, projectCode: '', ip, requestId, time: new Date(app.clock()).toISOString() }
}

/** Conditions on a column of project codes, where somebody sees some projects alone (PERM-6). */
export const inProjects = ({ domain }: Scope, column: RawBuilder<unknown>): RawBuilder<unknown>[] =>
  domain.all ? [] : [sql`${column} = any(${[...domain.projects.keys()]}::text[])`]
