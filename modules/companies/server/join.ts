import { defined } from '#kit/domain/defined.ts'
import { resultCode as wireCode, Refused, refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { searchTextOf } from '#kit/server/search-column.ts'
import { sql } from '#kit/server/db.ts'
import { anonymous } from '#kit/server/handler.ts'
import type { App } from '#kit/server/app.ts'
import { live } from '#kit/server/sql.ts'
import { requireCaptcha, sendSmsCode, consumeSmsCode } from '#modules/accounts/server/public.ts'
import { getInvitation, joinCompany, sendJoinCode } from '../contract/join.ts'
import { findResidentIdByMobile, workerSearchText } from './company-worker.ts'

interface InvitationRow {
  ownerId: number
  id: number
  name: string
  projectCode: string
  estateName?: string
}

/** So many wait for the company's word at most: who has a leaked picture cannot fill the list. */
const maxPendingWorkers = 500

/**
 * Before any sign-in: the invitation says which company of which owner. A wrong one says nothing of who is
 * there.
 */
async function requireInvitation(app: App, code: string): Promise<InvitationRow> {
  const c = /^[0-9a-f]{32}$/.test(code)
    ? await app.database.reader('*').one<InvitationRow>(sql`
          select c.owner_id, c.id, c.name, c.project_code, e.name as estate_name
          from company c
          left join estate e on e.owner_id = c.owner_id
            and e.project_code = c.project_code
            and ${live('e')}
          where c.search_code = ${code} and ${live('c')} and c.state <> 20
        `)
    : undefined
  return c ?? refuse('邀请码已失效，请向企业管理员重新索取')
}

const createFieldRefusal = (field: string, message: string): Refused =>
  new Refused(wireCode.invalidInput, message, [{ Field: field, Message: message }])

export const joinHandlers = [
  anonymous(getInvitation, async ({ code }, { app }) => {
    const c = await requireInvitation(app, code)
    return { companyName: c.name, ...(c.estateName ? { estateName: c.estateName } : {}) }
  }),
  anonymous(sendJoinCode, async ({ code, mobile, captcha, captchaKey }, c) => {
    await requireInvitation(c.app, code)
    await requireCaptcha(c, captchaKey, captcha)
    await sendSmsCode(c.app, mobile, 'join')
  }),
  anonymous(joinCompany, async ({ code, smsCode, ...d }, { app, upload, ip, requestId }) => {
    const c = await requireInvitation(app, code)
    if (!upload) throw createFieldRefusal('Photo', '请上传本人照片')
    if (!upload.type.startsWith('image/')) throw createFieldRefusal('Photo', '照片只能是图片，请重新选择')
    await consumeSmsCode(app, d.mobile, 'join', smsCode)
    // His number is proved from here on: what is there already may be said to him, and put right.
    return app.database.tx(c.ownerId, async tx => {
      await tx.execute(
        sql`select 1 from company where owner_id = ${c.ownerId} and id = ${c.id} and state <> 20 for share`,
      )
      const there = await tx.one<{ id: number; state: number }>(
        sql`
          select id, state
          from company_worker
          where owner_id = ${c.ownerId}
            and company_id = ${c.id}
            and mobile = ${d.mobile}
            and ${live()}
            and state <> 20
          for update
        `,
      )
      if (there?.state === 10) return { companyName: c.name, already: true }
      if (
        !there &&
        defined(
          await tx.one<{ n: number }>(
            sql`
            select count(*)::int as n
            from company_worker
            where owner_id = ${c.ownerId} and company_id = ${c.id} and ${live()} and state = 30
          `,
          ),
        ).n >= maxPendingWorkers
      )
        return refuse('等待审核的申请太多，请联系企业管理员处理后再试')
      const photo = await app.files.save(c.ownerId, 0, upload, undefined, tx)
      const person = await findResidentIdByMobile(tx, c.ownerId, d.mobile)
      const made = there
        ? await tx.one<{ id: number }>(
            sql`
              update company_worker
              set name = ${d.name}, search_text = ${searchTextOf(workerSearchText, d)}, position = ${d.position ?? null},
                photo = ${photo}, user_id = ${person ?? null}, version = version + 1, update_time = now()
              where owner_id = ${c.ownerId} and id = ${there.id}
              returning id
            `,
          )
        : await tx.one<{ id: number }>(
            sql`
              insert into company_worker (
                owner_id, project_code, company_id, user_id, name, search_text, mobile, position, photo,
                is_admin, state
              )
              values (
                ${c.ownerId}, ${c.projectCode}, ${c.id}, ${person ?? null}, ${d.name}, ${searchTextOf(workerSearchText, d)},
                ${d.mobile}, ${d.position ?? null}, ${photo}, false, 30
              )
              on conflict do nothing
              returning id
            `,
          )
      if (made) {
        await audit(tx, { ownerId: c.ownerId, operatorId: 0, name: `${d.name}（扫码申请）`, ip, requestId }, [
          {
            action: there ? 'update' : 'insert',
            entity: 'companyWorker',
            entityId: made.id,
            projectCode: c.projectCode,
            after: { name: d.name, mobile: d.mobile, position: d.position, photo },
          },
        ])
      }
      return { companyName: c.name, already: false }
    })
  }),
]
