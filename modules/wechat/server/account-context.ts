import { SignInRequired, type AnonymousContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'

/** The scope of a handler that asks the platform: it opens its transactions itself, after the answer. */
export function scopeOfCaller({ caller, app, ip, requestId }: AnonymousContext): Scope {
  if (!caller) throw new SignInRequired()
  return { ...caller, projectCode: '', ip, requestId, time: new Date(app.clock()).toISOString() }
}
