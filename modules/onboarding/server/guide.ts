import type { Entity } from '#kit/contract/entity.ts'
import { addDays } from '#kit/domain/day.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { WorkQueue } from '#kit/server/work-queue.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { countRows, findAll, notStruckOutCondition, requireById } from '#kit/server/table.ts'
import { property } from '#modules/accounts/contract/company.ts'
import { manager, managerType } from '#modules/accounts/contract/manager.ts'
import { bill } from '#modules/bills/contract/bill.ts'
import { building } from '#modules/estates/contract/building.ts'
import { estate, type Estate } from '#modules/estates/contract/estate.ts'
import { relationState, sourceType } from '#modules/fees/contract/choices.ts'
import { feeRelation } from '#modules/fees/contract/relation.ts'
import { feeStandard } from '#modules/fees/contract/standard.ts'
import { payRecord } from '#modules/payments/contract/record.ts'
import { residency } from '#modules/residents/contract/residency.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { guidePath, menu } from '../module.ts'
import { closeGuide, getGuideState, getSetupGuide, type GuideStep } from '../contract/guide.ts'
import { findState, lockState, type OnboardingState } from './state.ts'

/** Days after its first receipt for which a company has the guide, unless somebody ends it sooner. */
const guideDays = 30

/** The company fields that receipts and letters print. */
const requiredCompanyFields = ['contactName', 'contactPhone', 'address'] as const

/** What each step counts in the chosen project; the others count what belongs to the company. */
const countedEntities: Partial<Record<GuideStep, Entity>> = {
  building,
  room,
  resident: residency,
  fee: feeStandard,
  binding: feeRelation,
  bill,
  payment: payRecord,
}

/** Without the account that every company starts with. */
const withoutOwner: RawBuilder<unknown>[] = [sql`t.manager_type <> ${code(managerType, 'owner')}`]

/** Rooms of a project without a charge, which no bill would reach. */
const withoutCharge = ({ ownerId }: Scope): RawBuilder<unknown>[] => [
  sql`not exists (
    select 1
    from fee_relation r
    where r.owner_id = ${ownerId}
      and r.project_code = t.project_code
      and r.source_type = ${code(sourceType, 'room')}
      and r.source_code = t.code
      and ${notDeleted('r')}
      and r.state <> ${code(relationState, 'ended')}
  )`,
]

const maxUnboundNames = 8

async function findUnboundRooms(
  db: Db,
  scope: Scope,
  projectCode: string | undefined,
): Promise<{ count: number; names: string[] }> {
  if (projectCode === undefined) return { count: 0, names: [] }
  const options = { where: withoutCharge(scope) }
  const [count, rooms] = await Promise.all([
    countRows(db, room, scope, { projectCode }, options),
    findAll(db, room, scope, { projectCode }, { ...options, keys: ['path'], limit: maxUnboundNames }),
  ])
  return { count, names: rooms.map(({ path }) => path ?? '') }
}

/** The requested project, else the newest that is not the sample, else the sample. */
async function chooseEstate(
  db: Db,
  scope: Scope,
  requestedCode: string | undefined,
  { sampleCode }: OnboardingState,
): Promise<Estate | undefined> {
  const all = await findAll(db, estate, scope)
  if (requestedCode) return all.find(e => e.projectCode === requestedCode)
  const newestFirst = all.toSorted((a, b) => b.id - a.id)
  return newestFirst.find(e => e.projectCode !== sampleCode) ?? newestFirst[0]
}

/** Whether the company has received money in an estate of its own. */
async function hasOwnReceipt(
  db: Db,
  { ownerId }: Scope,
  sampleCode: string | undefined,
  since: RawBuilder<unknown> = sql``,
): Promise<boolean> {
  const paid = await db.one(sql`
    select 1
    from pay_record
    where owner_id = ${ownerId} and ${notDeleted()} and project_code <> ${sampleCode ?? ''} ${since}
    limit 1
  `)
  return paid !== undefined
}

/** A guide that was closed before the first receipt is work to do: nothing else is on the workbench yet. */
const unfinishedSetup: WorkQueue = {
  key: 'onboarding.guide',
  needs: menu.guide.permissions.edit,
  entities: [estate.name, payRecord.name],
  load: async ({ db, scope }) => {
    const { closed, sampleCode } = await findState(db, scope)
    if (!closed || (await hasOwnReceipt(db, scope, sampleCode))) return undefined
    return { title: '初始化未完成', tone: 'open', count: 1, actionLabel: '继续', path: guidePath }
  },
}

export const workQueues = [unfinishedSetup]

export const guideHandlers = [
  reads(getSetupGuide, async ({ projectCode }, { db, scope }) => {
    // The whole company, whatever project is chosen in the header bar.
    const companyScope = { ...scope, projectCode: '' }
    const state = await findState(db, companyScope)
    const company = await requireById(db, property, companyScope, companyScope.ownerId)
    const filled = requiredCompanyFields.filter(k => company[k]).length
    const chosen = await chooseEstate(db, companyScope, projectCode, state)
    const countOf = async (step: GuideStep): Promise<number> => {
      const counted = countedEntities[step]
      return counted && chosen
        ? await countRows(
            db,
            counted,
            companyScope,
            { projectCode: chosen.projectCode },
            { where: [notStruckOutCondition(counted.fields)] },
          )
        : 0
    }
    const describeStep = async (step: GuideStep, count = countOf(step)) => {
      const found = await count
      return { step, done: found > 0, count: found }
    }
    const unbound = await findUnboundRooms(db, companyScope, chosen?.projectCode)
    const binding = await describeStep('binding')
    return {
      unboundRooms: unbound.count,
      unboundNames: unbound.names,
      ...(chosen ? { projectCode: chosen.projectCode, projectName: chosen.name } : {}),
      ...(state.sampleCode ? { sampleCode: state.sampleCode } : {}),
      closed: state.closed,
      steps: [
        { step: 'company' as const, done: filled === requiredCompanyFields.length, count: filled },
        await describeStep('estate', countRows(db, estate, companyScope)),
        await describeStep('building'),
        await describeStep('room'),
        await describeStep('resident'),
        await describeStep('fee'),
        { ...binding, done: binding.done && unbound.count === 0 },
        await describeStep('bill'),
        await describeStep('payment'),
        await describeStep('account', countRows(db, manager, companyScope, {}, { where: withoutOwner })),
      ],
    }
  }),

  reads(getGuideState, async (_, { db, scope, today }) => {
    const { closed, sampleCode } = await findState(db, scope)
    if (closed) return { open: false }
    // A user who cannot end the guide leaves it with the first receipt.
    const since = hasPermission(scope, menu.guide.permissions.edit)
      ? sql`and create_time < ${addDays(today, -guideDays)}::date`
      : sql``
    return { open: !(await hasOwnReceipt(db, scope, sampleCode, since)) }
  }),

  writes(closeGuide, async ({ closed }, { tx, scope }) => {
    const before = await lockState(tx, scope)
    if (before.closed === closed) return
    await tx.execute(sql`
      update onboarding
      set closed = ${closed}, update_time = ${scope.time}, update_by = ${scope.operatorId}
      where owner_id = ${scope.ownerId}
    `)
    await audit(tx, scope, [
      {
        action: 'update',
        entity: 'setupGuide',
        entityId: 0,
        before: { closed: before.closed },
        after: { closed },
      },
    ])
  }),
]
