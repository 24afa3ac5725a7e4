import { refuse, Refused, type FieldFault } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes, type ReadContext } from '#kit/server/handler.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findPage, requireById } from '#kit/server/table.ts'
import type { LinkedPlace } from '#modules/access/contract/person-link.ts'
import { visitState } from '../contract/choices.ts'
import { invitation, type Invitation } from '../contract/invitation.ts'
import {
  addInvitation,
  cancelInvitation,
  checkInvitation,
  editInvitation,
  exportInvitations,
  extendInvitation,
  getInvitation,
  invitations,
  listHostLinks,
  listRequests,
  type InvitationDetail,
} from '../contract/invitations.ts'
import { inviteRule, type InviteRule } from '../contract/rule.ts'
import type { InviteVisitor } from '../contract/visitor.ts'
import { latestEnd } from '../domain/invitation-faults.ts'
import { hasAllPapers } from '../domain/papers.ts'
import { actionRefusal } from '../domain/states.ts'
import { menu } from '../module.ts'
import { requireRule } from './applied-rule.ts'
import { blockFaults } from './black-list.ts'
import { cancel, extend } from './changes.ts'
import { findHomes, findWorker, requireHost } from './hosts.ts'
import { changeInvitation, faultsOf, invite, visitorsOf } from './invite.ts'
import type { VisitQueryContext } from './visit-context.ts'
import { hostLinkOf, visitorLinkOf } from './visitor-link.ts'

const asQuery = ({ db, ...c }: ReadContext): VisitQueryContext => ({ ...c, tx: db })

/** A code or a link opens gates and doors to everybody who has it. */
const canPassOn = (scope: Scope): boolean =>
  hasPermission(scope, menu.invitation.permissions.link) || hasPermission(scope, menu.visit.permissions.check)

async function visitorView(
  { inviteNo, ...visitor }: InviteVisitor,
  rule: InviteRule,
  { app, scope }: VisitQueryContext,
) {
  if (!canPassOn(scope)) return visitor
  const url = await visitorLinkOf(app, scope.ownerId, visitor.id)
  return { ...visitor, ...(hasAllPapers(visitor, rule) && { inviteNo }), url }
}

async function detailOf(row: Invitation, c: VisitQueryContext): Promise<InvitationDetail> {
  const visitors = await visitorsOf(c, row.id)
  const rule = await requireById(c.tx, inviteRule, c.scope, row.ruleId)
  return {
    ...row,
    visitors: await Promise.all(visitors.map(visitor => visitorView(visitor, rule, c))),
    latestEndTime: latestEnd(row.firstEndTime, rule),
  }
}

type Asked = NonNullable<typeof checkInvitation.input.T>

/** What would refuse the invitation, without making it. */
async function check(asked: Asked, c: VisitQueryContext) {
  const answer = (faults: readonly FieldFault[]) => ({
    isAllowed: faults.length === 0,
    faults: faults.map(({ Field, Message }) => ({ field: Field, message: Message })),
  })
  try {
    const host = await requireHost(c, asked)
    const applied = await requireRule(c.tx, c.scope, host, asked.visitorKind, asked.ruleId)
    return {
      ...answer([
        ...faultsOf(asked, applied, c),
        ...(await blockFaults(c.tx, c.scope.ownerId, host.projectCode, asked.visitors, c.today)),
      ]),
      ruleName: applied.rule.ruleName,
      checkType: applied.checkType,
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return answer([{ Field: '', Message: error.message }])
  }
}

async function linksOf(
  { projectCode, userId, workerId }: NonNullable<typeof listHostLinks.input.T>,
  c: VisitQueryContext,
) {
  const { tx, scope, app } = c
  const linkOf = async (place: LinkedPlace) => {
    const url = await hostLinkOf(app, { ...place, ownerId: scope.ownerId })
    return { ...place, url, isVoid: url === undefined }
  }
  if (userId !== undefined) {
    const homes = await findHomes(tx, scope, projectCode, userId)
    return Promise.all(
      homes.map(async ({ id, userName, roomPath }) => ({
        hostName: userName ?? '',
        placeName: roomPath ?? '',
        ...(await linkOf({ kind: 'residency', id })),
      })),
    )
  }
  const worker = workerId === undefined ? undefined : await findWorker(tx, scope, workerId)
  if (!worker || worker.projectCode !== projectCode) return []
  return [
    {
      hostName: worker.name,
      placeName: worker.companyName ?? '',
      ...(await linkOf({ kind: 'worker', id: worker.id })),
    },
  ]
}

export const invitationServer = crudHandlers(invitations, { export: exportInvitations })

export const invitationHandlers = [
  reads(listRequests, (query, { db, scope }) =>
    findPage(db, invitation, scope, query, {
      filters: listRequests.input.filters ?? [],
      where: [sql`t.state = ${code(visitState, 'pending')}`],
    }),
  ),
  reads(getInvitation, async ({ id }, c) =>
    detailOf(await requireById(c.db, invitation, c.scope, id), asQuery(c)),
  ),
  reads(checkInvitation, (asked, c) => check(asked, asQuery(c))),
  reads(listHostLinks, (asked, c) => linksOf(asked, asQuery(c))),
  writes(addInvitation, async (asked, c) => detailOf(await invite(asked, await requireHost(c, asked), c), c)),
  writes(editInvitation, async ({ id, ...change }, c) => {
    const row = await requireById(c.tx, invitation, c.scope, id, { lock: true })
    const refusal = actionRefusal('edit', row.state)
    if (refusal !== undefined) refuse(refusal)
    return detailOf(await changeInvitation(row, change, c), c)
  }),
  writes(cancelInvitation, async ({ id, reason }, c) =>
    cancel(await requireById(c.tx, invitation, c.scope, id, { lock: true }), reason, c),
  ),
  writes(extendInvitation, async ({ id, endTime }, c) =>
    extend(await requireById(c.tx, invitation, c.scope, id, { lock: true }), endTime, c),
  ),
]
