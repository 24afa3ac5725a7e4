import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { wechatOf, type Wechat } from '#modules/accounts/server/public.ts'
import { residencyStatus } from '../contract/labels.ts'

type FindCompanyWechat = (app: App, ownerId: Id, projectCode: string) => Promise<Wechat | undefined>

let findCompanyWechat: FindCompanyWechat = async () => undefined

/** By the module of official accounts: the company's own account that an estate is bound to. */
export const provideCompanyWechat = (find: FindCompanyWechat): void => {
  findCompanyWechat = find
}

/**
 * The account by which the residents of an estate are known to WeChat: the company's own, else that of the
 * installation. A person has another number at each, so a binding and a sign-in must use the same.
 */
export const residentWechatOf = async (
  app: App,
  ownerId: Id,
  projectCode: string | undefined,
): Promise<Wechat> =>
  (projectCode === undefined ? undefined : await findCompanyWechat(app, ownerId, projectCode)) ??
  wechatOf(app)

/** The estate of the first home of a resident; nothing for who lives nowhere. */
export async function findEstateOfResident(
  db: Pick<Db, 'one'>,
  ownerId: Id,
  residentId: Id,
): Promise<string | undefined> {
  const home = await db.one<{ projectCode: string }>(sql`
    select l.project_code
    from user_room l
    where l.owner_id = ${ownerId}
      and l.user_id = ${residentId}
      and l.status = ${code(residencyStatus, 'living')}
      and ${notDeleted('l')}
    order by l.id
    limit 1
  `)
  return home?.projectCode
}
