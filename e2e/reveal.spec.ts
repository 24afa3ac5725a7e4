import { envelopeOf, idOf, objectOf, objectsOf, textOf } from '#kit/contract/fixtures.ts'
import type { Id } from '#kit/domain/id.ts'
import { expect, test, type Page } from '@playwright/test'
import { signIn, callAsPage } from './page-actions.ts'

/** What the log keeps of one resident, latest first. */
async function history(page: Page, id: Id): Promise<string[]> {
  const { Data } = await callAsPage(page, `Operationlog/GetHistory?EntityName=resident&EntityID=${id}`)
  return objectsOf(Data).map(entry => `${textOf(entry.Action)} ${textOf(entry.Reason)}`)
}

test('a phone and a certificate stay masked until somebody with the permission reveals them, and that is logged', async ({
  page,
}) => {
  await signIn(page)
  await page.goto('/customer/usermanage')
  const row = page
    .getByRole('row')
    .filter({ hasText: /1\d\d \*{4} \d{4}/, visible: true })
    .first()
  await expect(row).toBeVisible({ timeout: 20_000 })
  // In the drawer beside the list.
  const asked = page.waitForResponse(r => /\/user\/getone\?/i.test(r.url()))
  await row.click({ position: { x: 90, y: 20 } })
  const shown = objectOf(envelopeOf(await (await asked).json()).Data)
  // What the server sent is masked already.
  const covered = textOf(shown.Mobile)
  expect(covered).toMatch(/^1\d\d \*{4} \d{4}$/)
  const drawer = page.getByRole('dialog', { name: '详情' })
  await expect(drawer.getByText(covered).first()).toBeVisible()
  const noted = page.waitForResponse(r => /operationlog\/postshown/i.test(r.url()))
  await drawer.getByRole('button', { name: '显示' }).first().click()
  const full = textOf(envelopeOf(await (await noted).json()).Data)
  expect(`${full.slice(0, 3)} **** ${full.slice(-4)}`).toBe(covered)
  await expect(drawer.getByText(full, { exact: false }).first()).toBeVisible()
  const id = idOf(shown.ID)
  expect((await history(page, id))[0]).toBe('查看完整信息 手机号')

  // On the page of its own, the certificate.
  await page.goto(`/customer/usermanage/userdetail?id=${id}`)
  const again = page.waitForResponse(r => /operationlog\/postshown/i.test(r.url()))
  await page.getByRole('button', { name: '显示' }).filter({ visible: true }).last().click()
  await again
  await expect(page.getByRole('button', { name: '隐藏' })).toBeVisible()
  expect((await history(page, id))[0]).toContain('查看完整信息')
})

test('a person without the permission is sent them masked, and nothing offers to reveal them', async ({
  page,
}) => {
  await signIn(page, 'auditor1')
  await page.goto('/customer/usermanage')
  const row = page
    .getByRole('row')
    .filter({ hasText: /\*\*\*\*/, visible: true })
    .first()
  await expect(row).toBeVisible({ timeout: 20_000 })
  await row.click({ position: { x: 90, y: 20 } })
  await expect(page.getByRole('dialog', { name: '详情' })).toBeVisible()
  await expect(page.getByRole('dialog', { name: '详情' }).getByRole('button', { name: '显示' })).toHaveCount(
    0,
  )
})
