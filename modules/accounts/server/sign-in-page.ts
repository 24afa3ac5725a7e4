import type { Id } from '#kit/domain/id.ts'
import { sql, type Database } from '#kit/server/db.ts'
import { findEntry, hasAnyCompany } from '#kit/server/directory.ts'
import { notDeleted } from '#kit/server/sql.ts'
import type { getSignInPage } from '../contract/company.ts'
import { needsSetupCode } from './setup-code.ts'

type SignInPage = NonNullable<(typeof getSignInPage)['output']['T']>

/**
 * What the sign-in page may know: the company is the only one here, or the one whose own page's address names
 * it. Of several without such an address, none is named and none's provider is offered.
 */
export async function loadSignInPage(database: Database, pageKey: string | undefined): Promise<SignInPage> {
  const db = database.reader('*')
  const entry = pageKey === undefined ? undefined : await findEntry(db, 'sign_in_page', pageKey)
  const companies = await db.rows<{ id: Id; companyName: string }>(
    entry
      ? sql`select id, company_name from property where owner_id = ${entry.ownerId} and ${notDeleted()}`
      : sql`select id, company_name from property where ${notDeleted()} order by id limit 2`,
  )
  const [company, ...others] = companies
  if (!company) {
    const empty = !(await hasAnyCompany(db))
    return empty && needsSetupCode() ? { empty, needsSetupCode: true } : { empty }
  }
  if (others.length) return { empty: false }
  const provider = await db.one<{ identityButton: string; identityPageKey: string }>(sql`
    select button_text as identity_button, page_key as identity_page_key
    from identity_provider
    where owner_id = ${company.id} and is_enabled and ${notDeleted()}
  `)
  return { empty: false, companyName: company.companyName, ...provider }
}
