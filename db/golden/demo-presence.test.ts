import { expect, it } from 'vitest'
import { openDatabase } from '#kit/server/db.ts'
import { openTestDatabase } from '#kit/server/fixtures/test-database.ts'
import { createCompany } from '#modules/accounts/server/public.ts'
import { mainCompany, smallCompany } from './demo-companies.ts'
import { hasDemo } from './demo-presence.ts'

it('a demo company that was imported alone is no demo: its accounts are not announced', async () => {
  const empty = await openTestDatabase({ from: 'migrated' })
  const store = openDatabase(empty.url, { pool: 1, bulk: 1 })
  const add = ({ companyName, loginCode }: typeof mainCompany) =>
    store.tx('*', tx =>
      createCompany(tx, { companyName, loginCode, password: 'Anju2026', realName: '管理员' }),
    )
  try {
    await add(mainCompany)
    expect(await hasDemo(empty.url)).toBe(false)
    await add(smallCompany)
    expect(await hasDemo(empty.url)).toBe(true)
  } finally {
    await store.close()
    await empty.drop()
  }
})
