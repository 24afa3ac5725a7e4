import type { Id } from '#kit/domain/id.ts'
import { fromInstant, dayOfMoment } from '#kit/domain/moment.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { App } from '#kit/server/app.ts'
import type { Tx } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { clockScope } from '#kit/server/scope.ts'
import type { actorKind } from '../contract/choices.ts'

/** Who does something to an order, as its history names them. */
export interface Actor {
  readonly kind: ChoiceOf<typeof actorKind>
  readonly id: Id
  readonly name: string
}

/** What a step of an order is done with; without an app no open screen hears of it. */
export interface StepContext extends Pick<WriteContext, 'tx' | 'scope' | 'now'> {
  readonly actor: Actor
  readonly app?: App | undefined
}

export interface OrderContext extends StepContext, Pick<WriteContext, 'today'> {
  readonly app: App
}

export const staffContext = ({ tx, scope, now, today, app }: WriteContext): OrderContext => ({
  tx,
  scope,
  now,
  today,
  app,
  actor: { kind: 'staff', id: scope.operatorId, name: scope.name },
})

/** The product itself, or the requester by their link: the whole domain, nobody's rights. */
export function systemContext(
  tx: Tx,
  app: App,
  ownerId: Id,
  actor: Actor = { kind: 'system', id: 0, name: '系统' },
): OrderContext {
  const now = fromInstant(app.clock())
  return {
    tx,
    app,
    now,
    today: dayOfMoment(now),
    scope: { ...clockScope(app, ownerId), name: actor.name },
    actor,
  }
}
