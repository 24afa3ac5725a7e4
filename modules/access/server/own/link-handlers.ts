import { refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { requireById } from '#kit/server/table.ts'
import { companyWorker } from '#modules/companies/contract/company-worker.ts'
import { residency } from '#modules/residents/contract/residency.ts'
import { renewPersonLink, voidPersonLink, type LinkedPlace } from '../../contract/person-link.ts'
import { replaceCodes } from './pass-code-handlers.ts'
import { findLinkState, setLinkState, type StampedPlace } from './link-stamps.ts'

interface PersonPlace extends StampedPlace {
  readonly userId?: Id | undefined
}

const noLink = (): never => refuse('该人员已迁出或离职，链接已随之失效，无需作废或重新生成')

/** The home or the job, locked, where the caller sees it and it still has links. */
async function requirePlace({ kind, id }: LinkedPlace, { tx, scope }: WriteContext): Promise<PersonPlace> {
  if (kind === 'residency') {
    const { status, projectCode, userId } = await requireById(tx, residency, scope, id, { lock: true })
    return status === 'living' ? { kind, id, projectCode, userId } : noLink()
  }
  const { state, projectCode, userId } = await requireById(tx, companyWorker, scope, id, { lock: true })
  return state === 'active' ? { kind, id, projectCode, userId } : noLink()
}

const entityOf = { residency: residency.name, worker: companyWorker.name } as const

/** Who has the link has seen the code: it ends, too. */
async function change(
  place: PersonPlace,
  isVoid: boolean,
  reason: string,
  { tx, scope }: WriteContext,
): Promise<void> {
  const { kind, id, projectCode, userId } = place
  await setLinkState(tx, scope.ownerId, place, isVoid)
  if (userId !== undefined) {
    await replaceCodes(tx, scope, sql`c.project_code = ${projectCode} and c.user_id = ${userId}`)
  }
  const text = `${isVoid ? '作废' : '重新生成'}通行链接与邀访链接：${reason}`
  await audit(tx, scope, [
    { action: 'state', entity: entityOf[kind], entityId: id, projectCode, reason: text },
  ])
}

export const personLinkHandlers = [
  writes(voidPersonLink, async ({ reason, ...asked }, c) => {
    const place = await requirePlace(asked, c)
    const state = await findLinkState(c.tx, c.scope.ownerId, place)
    if (state?.isVoid === true) refuse('链接已作废，无需重复操作；如需使用请重新生成')
    await change(place, true, reason, c)
  }),
  writes(renewPersonLink, async ({ reason, ...asked }, c) => {
    await change(await requirePlace(asked, c), false, reason, c)
  }),
]
