import { randomUUID } from 'node:crypto'
import type { Call } from '#kit/contract/call.ts'
import { decodeResponse, encodeRequest, isSuccess, type Envelope } from '#kit/contract/wire.ts'
import { envelopeOf, objectOf, textOf } from '#kit/contract/fixtures.ts'
import { toStorage, type SignedInUser } from '#kit/web/signed-in-user.ts'
import { getMyAccount } from '#modules/accounts/contract/account.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { expect, test, type Browser, type Locator, type Page } from '@playwright/test'

// What a clerk does again and again, by what is visible. Open pages stay mounted: only what is visible
// counts.

/** Of the product's origin, as its storage is. */
const fileWithoutScripts = '/icon.svg'

const homeProject = { ProjectCode: 'JXHY0001', Name: '锦绣花园' }

/** The holders of the roles of the demo. */
export const roleAccounts = [
  'cashier1',
  'service1',
  'engineer1',
  'environment1',
  'manager1',
  'auditor1',
] as const

/**
 * They all see the home project. An account that sees every project would begin in the first of them, and a
 * journey beside this one may have just added that, empty.
 */
const homeAccounts: readonly string[] = ['demo', ...roleAccounts]

/**
 * Those who have signed in before, in this worker: each check of a password costs as much as a small screen.
 */
const signedInUsers = new Map<string, SignedInUser>()

async function isSignedIn(page: Page, { token }: SignedInUser): Promise<boolean> {
  const { path } = encodeRequest(getMyAccount, undefined, {})
  const answer = await page.request.get(`/api/${path}`, { headers: { token } })
  return isSuccess(envelopeOf(await answer.json()).Code)
}

async function userOf(page: Page, account: string, password: string): Promise<SignedInUser> {
  const key = `${account} ${password}`
  const known = signedInUsers.get(key)
  if (known && (await isSignedIn(page, known))) return known
  const answer = await page.request.post('/api/Manager/Login', {
    data: { Logincode: account, Password: password },
  })
  const user = decodeResponse(login, envelopeOf(await answer.json()))
  signedInUsers.set(key, user)
  return user
}

/**
 * Keeps what the login answers as the login page does, and the home project as its choice does, without
 * drawing a page: the first that is opened is the journey's own. The journeys of accounts and of the shell
 * sign in by hand.
 */
export async function signIn(page: Page, account = 'demo', password = 'Anju2026'): Promise<void> {
  const user = await userOf(page, account, password)
  await page.goto(fileWithoutScripts)
  await page.evaluate(
    ([stored, project]) => {
      sessionStorage.removeItem('selectedproject')
      if (project) {
        sessionStorage.setItem('selectedproject', project)
      }
      localStorage.setItem('etorcurrentuser', stored)
      localStorage.setItem('lastrequesttime', String(Date.now()))
    },
    [
      JSON.stringify(toStorage(user)),
      homeAccounts.includes(account) ? JSON.stringify(homeProject) : undefined,
    ] as const,
  )
}

/** Signs in and opens the page that follows the login. */
export async function signInAtWork(page: Page, account?: string): Promise<void> {
  await signIn(page, account)
  await page.goto('/work')
  await expect(page.getByRole('button', { name: /切换项目/ })).toBeVisible()
}

/**
 * Runs in the page; false where it shows no screen yet, or has this one open, which would show what it held.
 * What was announced before is no answer to what comes next.
 */
const followLink = (path: string): string => `(() => {
  const screens = [...document.querySelectorAll('.page[role=tabpanel]')]
  if (screens.length === 0) return false
  const url = new URL(${JSON.stringify(path)}, location.href)
  if (screens.some(({ id }) => id.startsWith('page' + url.pathname.toLowerCase()))) return false
  for (const toast of document.querySelectorAll('.ant-message-notice')) {
    toast.style.setProperty('display', 'none', 'important')
  }
  history.pushState({}, '', url)
  dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  return true
})()`

/**
 * Opens a screen as a link does: to read the whole product again costs three times as much. The first of a
 * window, and one that is open already, as the address bar does.
 */
export async function openScreen(page: Page, path: string): Promise<void> {
  // A document that goes while it is asked has no screen either.
  const isOpened = await page.evaluate<boolean>(followLink(path)).catch(() => false)
  if (!isOpened) {
    await page.goto(path)
  }
}

/** The session's token, as the page keeps it. */
export async function tokenOf(page: Page): Promise<string> {
  const stored = await page.evaluate(() => localStorage.getItem('etorcurrentuser'))
  return textOf(objectOf(JSON.parse(stored ?? '{}')).Token)
}

/** A call as the page itself makes it: with data it is posted, unless `method` differs. */
export async function callAsPage(
  page: Page,
  path: string,
  data?: object,
  method: 'GET' | 'POST' | 'PUT' = data ? 'POST' : 'GET',
): Promise<Envelope> {
  const answer: unknown = await page.evaluate(
    async ([address, token, httpMethod, body]) => {
      const response = await fetch(`/api/${address}`, {
        method: httpMethod,
        headers: { token, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body }),
      })
      return response.json()
    },
    [path, await tokenOf(page), method, data && JSON.stringify({ Data: data })] as const,
  )
  return envelopeOf(answer)
}

/** Every console message of the page is an error of the product. */
export function collectConsoleErrors(page: Page, consoleErrors: string[] = []): string[] {
  page.on('pageerror', e => consoleErrors.push(e.message))
  page.on('console', m => {
    if (m.type() === 'error' && !/favicon|Failed to load resource/.test(m.text())) {
      consoleErrors.push(m.text())
    }
  })
  return consoleErrors
}

/**
 * A file's steps are one journey in one window, signed in before the first: `open` gets it. Gives what the
 * console complains of, which is nothing in the end.
 */
export function defineJourney(open: (page: Page) => void, account?: string): string[] {
  const consoleErrors: string[] = []
  let page: Page | undefined
  test.describe.configure({ mode: 'serial' })
  test.beforeAll(async ({ browser }) => {
    page = await browser.newPage()
    collectConsoleErrors(page, consoleErrors)
    open(page)
    await signIn(page, account)
  })
  test.afterAll(async () => {
    await page?.close()
    expect(consoleErrors, 'the console shows no error').toEqual([])
  })
  return consoleErrors
}

export const field = (page: Page, name: string): Locator =>
  page.locator(`[data-field="${name}"]`).locator('input, textarea').filter({ visible: true }).first()

export const button = (page: Page | Locator, name: string | RegExp): Locator =>
  page
    .getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) })
    .filter({ visible: true })
    .first()

export const visibleText = (page: Page | Locator, text: string | RegExp): Locator =>
  page.getByText(text).filter({ visible: true }).first()

export const toastOf = (page: Page, text: string | RegExp): Locator =>
  page.locator('.ant-message').getByText(text).filter({ visible: true }).first()

/** Picks an option of a drop-down of a form. */
export async function selectOption(page: Page, name: string, option: string | RegExp): Promise<void> {
  await page.locator(`[data-field="${name}"] .ant-select`).filter({ visible: true }).first().click()
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: option })
    .first()
    .click()
  // A drop-down of several stays open until it is left; one that still closes must not be taken for the next.
  await page.locator('h2, h3').filter({ visible: true }).first().click()
  await expect(page.locator('.ant-select-dropdown:visible')).toHaveCount(0)
}

/** Chooses the project above. */
export async function chooseProject(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /切换项目/ }).click()
  await page.getByLabel('搜索项目', { exact: true }).fill(name)
  await page.getByRole('option', { name }).first().click()
  await expect(page.getByRole('button', { name: `切换项目，当前 ${name}` })).toBeVisible()
}

/** A new estate with building 「1 栋」 of so many vacant rooms, founded as a newcomer would and chosen above. */
export async function createEstate(
  page: Page,
  estate: string,
  code: string,
  {
    floors,
    perFloor,
    of = floors,
  }: { readonly floors: number; readonly perFloor: number; readonly of?: number },
): Promise<void> {
  await openScreen(page, '/service/data/statelist/addstate')
  await field(page, 'name').fill(estate)
  await field(page, 'projectCode').fill(code)
  await button(page, '新增项目').click()
  await expect(toastOf(page, '已新增项目')).toBeVisible()
  await page.reload()
  await chooseProject(page, estate)
  await openScreen(page, '/service/data/buildlist/addbuilds')
  await field(page, 'name').fill('1 栋')
  await field(page, 'units').fill('1')
  await field(page, 'floors').fill(String(of))
  await button(page, '新增楼栋').click()
  await expect(toastOf(page, '已新增楼栋')).toBeVisible()
  await openScreen(page, '/service/data/roommange/addrooms?way=batch')
  await selectOption(page, 'buildCode', '1 栋')
  await field(page, 'floorFrom').fill('1')
  await field(page, 'floorTo').fill(String(floors))
  await field(page, 'perFloor').fill(String(perFloor))
  await selectOption(page, 'roomState', '空置')
  const rooms = floors * perFloor
  await button(page, new RegExp(`生成 ${rooms} 间`)).click()
  await expect(toastOf(page, `已生成 ${rooms} 间房间`)).toBeVisible()
}

/**
 * A page of a separate browser context with its own account; its console errors are added to
 * `consoleErrors`. The printer's window is closed at once.
 */
export async function openSignedInPage(
  browser: Browser,
  consoleErrors: string[],
  account = 'demo',
): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  collectConsoleErrors(page, consoleErrors)
  await page.addInitScript({
    content: "window.print = () => setTimeout(() => dispatchEvent(new Event('afterprint')), 50)",
  })
  await signIn(page, account)
  return page
}

export const rowOf = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('row').filter({ hasText: text, visible: true }).first()

/** A httpMethod of a row, open or behind ⋯. */
export async function clickRowAction(page: Page, text: string | RegExp, name: string): Promise<void> {
  await expect(rowOf(page, text)).toBeVisible()
  const direct = rowOf(page, text).getByRole('button', { name, exact: true })
  if (await direct.count()) return direct.click()
  await rowOf(page, text).getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

/** More change than the project's limit is asked about before money is taken. */
export const confirmChange = (page: Page): Promise<void> =>
  page
    .getByRole('dialog')
    .filter({ hasText: '请核对实收金额' })
    .getByRole('button', { name: '确认收款' })
    .click()

/** A call as the page makes it, by its declaration. */
export async function callOn<I, O>(page: Page, declared: Call<I, O>, input: NoInfer<I>): Promise<O> {
  const { method, path, query, body } = encodeRequest(declared, input, { uuid: randomUUID() })
  const answer = await page.request.fetch(`/api/${path}${query ? `?${query}` : ''}`, {
    method,
    headers: {
      token: await tokenOf(page),
      'content-type': method === 'PUT' ? 'application/json' : 'application/x-www-form-urlencoded',
    },
    ...(body === undefined ? {} : { data: body }),
  })
  return decodeResponse(declared, envelopeOf(await answer.json()))
}
