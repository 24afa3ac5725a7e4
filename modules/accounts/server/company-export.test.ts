import { afterAll, beforeAll, expect, it } from 'vitest'
import { registerProduct } from '#kit/server/company-data/installed.ts'
import { sql } from '#kit/server/db.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { defined } from '#kit/domain/defined.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { openGoldenApp, type Clerk, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden, password } from '#db/golden/golden-data.ts'
import { downloadTaskResult } from '#modules/system/contract/task.ts'
import { downloadCompanyExport, listCompanyExports, startCompanyExport } from '../contract/company-export.ts'

let t: GoldenApp
let clerk: Clerk

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  registerProduct(await loadInstalledModules(), 'test')
  clerk = await t.addClerk(['accounts.company.view', 'accounts.company.takeout'], { privacy: true })
})

afterAll(() => t?.close())

it('an export of everything needs its permission, the whole data domain, personal data and the password', async () => {
  const start = (as: Clerk['as'], typed = password) =>
    refusalMessageOf(t.call(startCompanyExport, { password: typed }, as))
  const other = await t.addClerk(['accounts.company.view'], { privacy: true })
  const masked = await t.addClerk(['accounts.company.view', 'accounts.company.takeout'])
  expect(await start(other.as)).toContain('权限')
  expect(await start(masked.as)).toContain('只有数据范围为全部项目、可查看完整个人信息的账号')
  expect(await start(clerk.as, 'Wrong2026')).toContain('当前密码不正确')
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`
      update manager
      set all_project = false
      where owner_id = ${t.ownerId} and login_code = ${masked.loginCode}
    `),
  )
  expect(await refusalMessageOf(t.call(listCompanyExports, undefined, masked.as))).toContain(
    '只有数据范围为全部项目',
  )
  expect(await refusalMessageOf(t.call(listCompanyExports, undefined, other.as))).toContain('权限')
})

it('runs as a task, is downloaded by those with the permission alone, and is audited', async () => {
  const owner = await t.owner
  const id = await t.call(startCompanyExport, { password }, owner)
  const task = await t.waitForTask(id)
  expect(task).toMatchObject({ state: 30, fail: 0 })
  expect(task.message).toMatch(/^已导出 \d+ 个表 \d+ 行、附件 \d+ 个/)
  const [shown] = await t.call(listCompanyExports, undefined, clerk.as)
  expect(shown).toMatchObject({ id, state: 'done', hasFile: true })
  expect(defined(shown).fileSize).toBeGreaterThan(10_000)
  const bytes = await readBody(await t.call(downloadCompanyExport, { id }, clerk.as))
  expect(bytes.subarray(0, 2).toString()).toBe('PK')
  expect(bytes.length).toBe(defined(shown).fileSize)
  // The task centre would give it to its operator without the permission.
  expect(await refusalMessageOf(t.call(downloadTaskResult, { id }, owner))).toContain('没有结果文件')
  const other = await t.addClerk(['accounts.company.view'], { privacy: true })
  expect(await refusalMessageOf(t.call(downloadCompanyExport, { id }, other.as))).toContain('权限')
  const second = await t.signedInAs(golden.second.owner, '')
  expect(await refusalMessageOf(t.call(downloadCompanyExport, { id }, second))).toContain('不存在')
  const logged = await t.database.reader(t.ownerId).rows(sql`
    select operator_name, reason
    from audit_log
    where owner_id = ${t.ownerId} and action = 'export' and reason like '%公司全部数据'
    order by id
  `)
  expect(logged.map(row => JSON.stringify(row))).toEqual([
    expect.stringContaining('导出公司全部数据'),
    expect.stringContaining('下载公司全部数据'),
  ])
})

it('one export of a company runs at a time', async () => {
  const outcomes = await Promise.allSettled(
    [1, 2].map(() => t.call(startCompanyExport, { password }, clerk.as)),
  )
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') {
      await t.waitForTask(outcome.value)
    }
  }
})

it('has no file any more when the time of it has passed', async () => {
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`
      update file_store
      set expire_time = ${new Date(t.app.clock() - 1000)}
      where owner_id = ${t.ownerId} and type = 'application/zip'
    `),
  )
  const rows = await t.call(listCompanyExports, undefined, clerk.as)
  expect(rows.map(row => row.hasFile)).toEqual(rows.map(() => false))
  expect(
    await refusalMessageOf(t.call(downloadCompanyExport, { id: defined(rows[0]).id }, clerk.as)),
  ).toContain('超过 7 天保留期')
})
