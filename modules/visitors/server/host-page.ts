import { notFound, refuse } from '#kit/contract/wire.ts'
import { anonymous, type AnonymousContext } from '#kit/server/handler.ts'
import { countRows, findAll, findByIds } from '#kit/server/table.ts'
import { sql } from '#kit/server/db.ts'
import { codes } from '#kit/server/sql.ts'
import { ownLinkOf, type PersonLink } from '#modules/access/server/public.ts'
import { visitState } from '../contract/choices.ts'
import {
  cancelAsHost,
  decideAsHost,
  extendAsHost,
  inviteAsHost,
  openHost,
  type HostPage,
} from '../contract/host.ts'
import { invitation, type Invitation } from '../contract/invitation.ts'
import { inviteRule, type InviteRule } from '../contract/rule.ts'
import type { InviteVisitor } from '../contract/visitor.ts'
import { latestEnd } from '../domain/invitation-faults.ts'
import { stateText } from '../domain/page-texts.ts'
import { canCancelVisitor, canExtendVisitor } from '../domain/states.ts'
import { rulesByKind } from './applied-rule.ts'
import { cancel, extend } from './changes.ts'
import { decideForHost } from './decisions.ts'
import { findEstateFacts } from './estate-facts.ts'
import { findHome, findWorker, hostOfResidency, hostOfWorker, type Host } from './hosts.ts'
import { invite, visitorsOfAll } from './invite.ts'
import { loadSetting } from './setting.ts'
import { inCompany, type VisitContext } from './visit-context.ts'
import { invalidLink, readHostLink, visitorLinkOf } from './visitor-link.ts'

interface OpenedHost {
  readonly host: Host
  readonly placeName: string
}

/** Asking is a host's consent: what they invite themselves waits for the property alone. */
const ownConsent = ['host'] as const

/** Whose link it is, as long as they live or work there. */
async function openedHost({ kind, id }: PersonLink, c: VisitContext): Promise<OpenedHost> {
  if (kind === 'residency') {
    const home = await findHome(c.tx, c.scope, id)
    if (!home) throw invalidLink()
    return { host: await hostOfResidency(c, home, ownConsent), placeName: home.roomPath ?? '' }
  }
  const worker = await findWorker(c.tx, c.scope, id)
  if (!worker) throw invalidLink()
  return { host: hostOfWorker(worker, ownConsent), placeName: worker.companyName ?? '' }
}

const ofHost = ({ workerId, hostUserId, roomId }: Host) =>
  workerId === undefined
    ? sql`t.host_user_id = ${hostUserId} and t.room_id = ${roomId}`
    : sql`t.worker_id = ${workerId}`

const shownInvitations = 20

async function requireOwn(
  host: Host,
  id: Invitation['id'],
  { tx, scope }: VisitContext,
): Promise<Invitation> {
  const [row] = await findAll(
    tx,
    invitation,
    scope,
    { projectCode: host.projectCode },
    { where: [ofHost(host), sql`t.id = ${id}`], limit: 1 },
  )
  if (!row) throw notFound()
  return row
}

const visitorView = async ({ id, visitorName, state }: InviteVisitor, c: VisitContext) => ({
  visitorName,
  state,
  url: await visitorLinkOf(c.app, c.scope.ownerId, id),
})

interface InvitationParts {
  readonly visitors: readonly InviteVisitor[]
  readonly rule: InviteRule | undefined
}

async function invitationView(row: Invitation, { visitors, rule }: InvitationParts, c: VisitContext) {
  return {
    id: row.id,
    invitationNo: row.invitationNo,
    visitorKind: row.visitorKind,
    visitorName: row.visitorName,
    personCount: row.personCount,
    beginTime: row.beginTime,
    endTime: row.endTime,
    rejectReason: row.rejectReason,
    state: row.state,
    stateText: stateText(row),
    awaitsHost: row.stage === 'host' && row.state === 'pending',
    canCancel: visitors.some(visitor => canCancelVisitor(visitor, c.now)),
    latestEndTime: rule && visitors.some(canExtendVisitor) ? latestEnd(row.firstEndTime, rule) : undefined,
    visitors: await Promise.all(visitors.map(visitor => visitorView(visitor, c))),
  }
}

/** The last invitations of the host; the visitors and rules of all of them are read at once. */
async function invitationViews(host: Host, c: VisitContext) {
  const { tx, scope } = c
  const rows = await findAll(
    tx,
    invitation,
    scope,
    { projectCode: host.projectCode, order: '-id' },
    { where: [ofHost(host)], limit: shownInvitations },
  )
  if (!rows.length) return []
  const found = await visitorsOfAll(
    c,
    rows.map(({ id }) => id),
  )
  const visitors = Map.groupBy(found, each => each.invitationId)
  const rules = await findByIds(
    tx,
    inviteRule,
    scope,
    rows.map(({ ruleId }) => ruleId),
  )
  return Promise.all(
    rows.map(row => {
      const rule = rules.find(({ id }) => id === row.ruleId)
      return invitationView(row, { visitors: visitors.get(row.id) ?? [], rule }, c)
    }),
  )
}

async function viewOf({ host, placeName }: OpenedHost, link: PersonLink, c: VisitContext): Promise<HostPage> {
  const { tx, scope } = c
  const rules = await rulesByKind(tx, scope, host)
  const { hostParkingLimit } = await loadSetting(tx, scope, host.projectCode)
  return {
    ...(await findEstateFacts(tx, scope.ownerId, host.projectCode)),
    hostName: host.hostName,
    placeName,
    passUrl: host.hostUserId === undefined ? undefined : await ownLinkOf(c.app, link),
    hostParkingLimit: host.roomId === undefined ? undefined : hostParkingLimit,
    kinds: [...rules].flatMap(([visitorKind, [applied]]) =>
      applied
        ? [
            {
              visitorKind,
              checkType: applied.checkType,
              advanceDays: applied.rule.advanceDays,
              maxHours: applied.rule.maxHours,
              maxPersons: applied.rule.maxPersons,
              allowsCar: applied.rule.allowsCar,
              questions: applied.rule.questions ?? [],
            },
          ]
        : [],
    ),
    invitations: await invitationViews(host, c),
  }
}

/** One action behind the link; returns the page as it is then. */
async function actAsHost(
  { app }: AnonymousContext,
  token: string,
  action: (host: Host, c: VisitContext) => Promise<unknown>,
): Promise<HostPage> {
  const link = await readHostLink(app, token)
  return inCompany(app, link.ownerId, '住户', async anybody => {
    const opened = await openedHost(link, anybody)
    const c = { ...anybody, scope: { ...anybody.scope, name: opened.host.hostName } }
    await action(opened.host, c)
    return viewOf(opened, link, c)
  })
}

const maxOpen = 50

async function assertFewOpen(host: Host, { tx, scope }: VisitContext): Promise<void> {
  const open = await countRows(
    tx,
    invitation,
    scope,
    { projectCode: host.projectCode },
    { where: [ofHost(host), sql`t.state in ${codes(visitState, 'pending', 'passed')}`] },
  )
  if (open >= maxOpen) refuse(`还有 ${open} 个邀访未到访，请先取消不需要的再邀请`)
}

export const hostHandlers = [
  anonymous(openHost, ({ token }, a) => actAsHost(a, token, async () => {})),
  anonymous(inviteAsHost, ({ token, ...asked }, a) =>
    actAsHost(a, token, async (host, c) => {
      await assertFewOpen(host, c)
      await invite(asked, host, c)
    }),
  ),
  anonymous(decideAsHost, ({ token, id, ...decision }, a) =>
    actAsHost(a, token, async (host, c) => decideForHost((await requireOwn(host, id, c)).id, decision, c)),
  ),
  anonymous(cancelAsHost, ({ token, id, reason }, a) =>
    actAsHost(a, token, async (host, c) => cancel(await requireOwn(host, id, c), reason, c)),
  ),
  anonymous(extendAsHost, ({ token, id, endTime }, a) =>
    actAsHost(a, token, async (host, c) => extend(await requireOwn(host, id, c), endTime, c)),
  ),
]
