import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { UnknownSecret, invalidField, refuse } from '#kit/contract/wire.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { audit } from '#kit/server/audit.ts'
import { searchTextOf } from '#kit/server/search-column.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { anonymous, type AnonymousContext } from '#kit/server/handler.ts'
import type { App } from '#kit/server/app.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { requireCaptcha, sendSmsCode, consumeSmsCode } from '#modules/accounts/server/public.ts'
import { companyState } from '../contract/company.ts'
import { workerState } from '../contract/company-worker.ts'
import { getInvitation, joinCompany, sendJoinCode } from '../contract/join.ts'
import { findResidentIdByMobile, workerSearchText } from './company-worker.ts'

type JoinInput = NonNullable<typeof joinCompany.input.T>

interface InvitationRow {
  ownerId: Id
  id: Id
  name: string
  projectCode: string
  estateName?: string
}

/** Undecided applications of one company at most: a leaked QR code cannot fill the list. */
const maxPendingWorkers = 500

/** Before any sign-in: the invitation names a company. The refusal of a wrong one tells nothing else. */
async function requireInvitation(app: App, invitation: string): Promise<InvitationRow> {
  const found = /^[0-9a-f]{32}$/.test(invitation)
    ? await app.database.reader('*').one<InvitationRow>(sql`
          select c.owner_id, c.id, c.name, c.project_code, e.name as estate_name
          from company c
          left join estate e on e.owner_id = c.owner_id
            and e.project_code = c.project_code
            and ${notDeleted('e')}
          where c.search_code = ${invitation} and ${notDeleted('c')} and c.state <> ${code(companyState, 'movedOut')}
        `)
    : undefined
  if (!found) throw new UnknownSecret('邀请码已失效，请向企业管理员重新索取')
  return found
}

interface Applicant {
  readonly name: string
  readonly mobile: string
  readonly position?: string | undefined
}

interface PendingRow {
  id: Id
  state: number
}

/** The worker who has this number already, locked; the company stays where it is until the end. */
async function lockWorkerByMobile(
  tx: Tx,
  company: InvitationRow,
  mobile: string,
): Promise<PendingRow | undefined> {
  const { ownerId, id } = company
  await tx.execute(sql`
    select 1
    from company
    where owner_id = ${ownerId} and id = ${id} and state <> ${code(companyState, 'movedOut')}
    for share
  `)
  return tx.one<PendingRow>(sql`
    select id, state
    from company_worker
    where owner_id = ${ownerId}
      and company_id = ${id}
      and mobile = ${mobile}
      and ${notDeleted()}
      and state <> ${code(workerState, 'left')}
    for update
  `)
}

async function assertRoomForApplication(tx: Tx, { ownerId, id }: InvitationRow): Promise<void> {
  const waiting = await tx.one<{ count: number }>(sql`
    select count(*)::int as count
    from company_worker
    where owner_id = ${ownerId} and company_id = ${id} and ${notDeleted()} and state = ${code(workerState, 'pending')}
  `)
  if (defined(waiting).count >= maxPendingWorkers) refuse('等待审核的申请太多，请联系企业管理员处理后再试')
}

/** Adds the application, or renews the one that waits; nothing where another request was faster. */
async function saveApplication(
  tx: Tx,
  company: InvitationRow,
  pendingId: Id | undefined,
  applicant: Applicant,
  photo: string,
  now: Moment,
): Promise<Id | undefined> {
  const { ownerId } = company
  const { name, mobile, position = null } = applicant
  const resident = (await findResidentIdByMobile(tx, ownerId, mobile)) ?? null
  const searchText = searchTextOf(workerSearchText, applicant)
  const saved = await tx.one<{ id: Id }>(
    pendingId
      ? sql`
          update company_worker
          set name = ${name}, search_text = ${searchText}, position = ${position}, photo = ${photo},
            user_id = ${resident}, version = version + 1, update_time = ${now}::timestamptz
          where owner_id = ${ownerId} and id = ${pendingId}
          returning id
        `
      : sql`
          insert into company_worker (
            owner_id, project_code, company_id, user_id, name, search_text, mobile, position, photo, is_admin,
            state
          )
          values (
            ${ownerId}, ${company.projectCode}, ${company.id}, ${resident}, ${name}, ${searchText}, ${mobile},
            ${position}, ${photo}, false, ${code(workerState, 'pending')}
          )
          on conflict do nothing
          returning id
        `,
  )
  return saved?.id
}

const applyToJoin = async (
  { code: invitation, smsCode, ...applicant }: JoinInput,
  { app, upload, ip, requestId, now }: AnonymousContext,
): Promise<{ companyName: string; already: boolean }> => {
  const company = await requireInvitation(app, invitation)
  const { ownerId, projectCode, name: companyName } = company
  if (!upload) throw invalidField('Photo', '请上传本人照片')
  if (!upload.type.startsWith('image/')) throw invalidField('Photo', '照片只能是图片，请重新选择')
  await consumeSmsCode(app, applicant.mobile, 'join', smsCode)
  // The number is verified from here on: its holder may see the record, and correct it.
  return app.database.tx(ownerId, async tx => {
    const known = await lockWorkerByMobile(tx, company, applicant.mobile)
    if (known?.state === codeOf(workerState, 'active')) return { companyName, already: true }
    if (!known) {
      await assertRoomForApplication(tx, company)
    }
    const photo = await app.files.save(ownerId, 0, upload, undefined, tx)
    const saved = await saveApplication(tx, company, known?.id, applicant, photo, now)
    if (saved) {
      const { name, mobile, position } = applicant
      await audit(tx, { ownerId, operatorId: 0, name: `${name}（扫码申请）`, ip, requestId }, [
        {
          action: known ? 'update' : 'insert',
          entity: 'companyWorker',
          entityId: saved,
          projectCode,
          after: { name, mobile, position, photo },
        },
      ])
    }
    return { companyName, already: false }
  })
}

export const joinHandlers = [
  anonymous(getInvitation, async ({ code: invitation }, { app }) => {
    const { name, estateName } = await requireInvitation(app, invitation)
    return { companyName: name, ...(estateName ? { estateName } : {}) }
  }),
  anonymous(sendJoinCode, async ({ code: invitation, mobile, ...captcha }, c) => {
    const { ownerId } = await requireInvitation(c.app, invitation)
    await requireCaptcha(c, captcha)
    await sendSmsCode(c.app, mobile, 'join', { ip: c.ip, companyId: ownerId })
  }),
  anonymous(joinCompany, applyToJoin),
]
