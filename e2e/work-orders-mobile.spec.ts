import { truncate, writeFile } from 'node:fs/promises'
import { defined } from '#kit/domain/defined.ts'
import { envelopeOf, idOf, objectOf, textOf } from '#kit/contract/fixtures.ts'
import { expect, test, type Browser, type BrowserContext, type Locator, type Page } from '@playwright/test'
import { findSeriousFaults } from './axe.ts'
import { callAsPage, collectConsoleErrors, defineJourney, tokenOf } from './page-actions.ts'
import { withDatabase } from './verification-codes.ts'

const project = 'JXHY0001'
const phoneDevice = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const stamp = Date.now().toString(36).toUpperCase()
const typeName = `龙头维修 ${stamp}`
const content = `厨房水龙头滴水 ${stamp}`
const jpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/yQALCAABAAEBAREA/8wABgAQEAX/2gAIAQEAAD8A0s8g/9k=',
  'base64',
)
const picture = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: jpeg }

let page: Page
const consoleErrors = defineJourney(p => (page = p))
let resident: Page
let engineer: Page
let engineerContext: BrowserContext
let orderUrl: string

const openPhone = async (browser: Browser): Promise<readonly [BrowserContext, Page]> => {
  const context = await browser.newContext(phoneDevice)
  const opened = await context.newPage()
  collectConsoleErrors(opened, consoleErrors)
  return [context, opened]
}

const rowsOf = (data: unknown): Record<string, unknown>[] => (Array.isArray(data) ? data.map(objectOf) : [])

/** A call of the service staff that changes something. */
async function putAsPage(path: string, data: object): Promise<unknown> {
  const answer: unknown = await page.evaluate(
    async ([address, token, body]) => {
      const response = await fetch(`/api/${address}`, {
        method: 'PUT',
        headers: { token, 'content-type': 'application/json' },
        body,
      })
      return response.json()
    },
    [path, await tokenOf(page), JSON.stringify({ Data: data })] as const,
  )
  const { Code, Message, Data } = envelopeOf(answer)
  expect(Code, Message).toBe(10000)
  return Data
}

const findOrder = async (): Promise<Record<string, unknown>> => {
  const { Data } = await callAsPage(
    page,
    `workorder/v1/WorkOrder/GetPagedList?ProjectCode=${project}&KeyWord=${encodeURIComponent(stamp)}`,
  )
  return defined(rowsOf(Data)[0])
}

/** The page fits the phone, in light and dark, and axe has nothing serious to say. */
async function expectGoodLook(shown: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark']) {
    await shown.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
    for (const width of [360, 390]) {
      await shown.setViewportSize({ width, height: 844 })
      const overflow = await shown.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      expect(overflow, `${name} at ${width}`).toBe(0)
      if (process.env.PICTURES) {
        await shown.screenshot({ path: `${process.env.PICTURES}/${name}-${theme}-${width}.png` })
      }
    }
    expect(await findSeriousFaults(shown), `${name} ${theme}`).toEqual([])
  }
  await shown.evaluate("document.documentElement.dataset.theme = 'light'")
}

test('a link that is forged or cut off is refused with a message', async ({ browser }) => {
  ;[, resident] = await openPhone(browser)
  await resident.goto('/repair?t=r.1.1.aaaaaaaaaaaaaaaaaaaaaaaa')
  await expect(resident.getByText('链接无效，请重新扫描现场的二维码，或联系物业')).toBeVisible()
  await resident.goto('/repair')
  await expect(resident.getByText('链接不完整，请重新扫描现场的二维码')).toBeVisible()
  await expectGoodLook(resident, 'problem')
})

/** A type of this journey alone: dispatched by hand, with a picture, an acceptance and a price list. */
async function addType(): Promise<void> {
  const { Data: types } = await callAsPage(page, 'workorder/v1/OrderType/Get?PageSize=200')
  const parent = defined(rowsOf(types).find(type => type.TypeName === '室内报修'))
  const { Data: items } = await callAsPage(page, 'finance/v1/FeeItem/GetPagedList?FeeType=30&PageSize=50')
  const item = defined(rowsOf(items)[0])
  const { Code, Message } = await callAsPage(page, 'workorder/v1/OrderType/Save', {
    ParentID: parent.ID,
    TypeName: typeName,
    Category: 10,
    DispatchMode: 1,
    Is24h: 1,
    NeedPhoto: 1,
    NeedAccept: 1,
    IsCharge: 1,
    FeeItemID: item.ID,
    PriceJson: [
      { Name: '上门维修人工', Unit: '次', Price: '50.00' },
      { Name: '水龙头', Unit: '只', Price: '68.50' },
    ],
  })
  expect(Code, Message).toBe(10000)
}

test('a resident reports by the code of the room, with a picture', async ({ browserName: _ }, info) => {
  await addType()
  const { Data } = await callAsPage(
    page,
    `workorder/v1/Resident/GetCodes?ProjectCode=${project}&PlaceKind=10&PageSize=1`,
  )
  await resident.goto(textOf(defined(rowsOf(Data)[0]).Url))
  await resident.getByRole('button', { name: '提交', exact: true }).click()
  await expect(resident.getByText('请选择报事类型')).toBeVisible()
  await resident.getByRole('button', { name: '室内报修', exact: true }).click()
  await resident.getByRole('button', { name: typeName }).click()
  await resident.getByLabel('情况说明').fill(content)
  await resident.getByLabel('联系电话').fill('123')
  await resident.getByRole('button', { name: '提交', exact: true }).click()
  await expect(resident.getByText('请输入手机号，或格式为：区号-号码')).toBeVisible()
  await resident.getByLabel('联系电话').fill('13800001234')
  await resident.reload()
  await expect(resident.getByLabel('情况说明')).toHaveValue(content)
  await resident.getByLabel('图片：相册').setInputFiles(picture)
  await expect(resident.getByRole('img', { name: '图片 1' })).toBeVisible()
  const long = info.outputPath('long.mp4')
  await writeFile(long, '')
  await truncate(long, 50 * 1024 * 1024 + 1)
  await resident.getByLabel('视频：选择视频').setInputFiles(long)
  await expect(resident.getByText('视频不能超过 50 MB，请缩短后再拍')).toBeVisible()
  await expectGoodLook(resident, 'report')
  await resident.getByRole('button', { name: '提交', exact: true }).click()
  await expect(resident.getByText(content)).toBeVisible()
  await expect(resident).toHaveURL(/\?t=o\./)
  await expect(resident.getByText('已受理，正在安排人员')).toBeInViewport()
  orderUrl = resident.url()
  await expectGoodLook(resident, 'follow')
})

/** Signs in on the phone as an engineer of the demo. */
async function signInEngineer(opened: Page, account: string): Promise<void> {
  await opened.goto('/quality/workOrderManagement/mine')
  await opened.getByLabel('账号', { exact: true }).fill(account)
  await opened.getByLabel('密码', { exact: true }).fill('Anju2026')
  await opened.getByRole('button', { name: '登录', exact: true }).click()
  await expect(opened.getByRole('heading', { name: '我的工单' })).toBeVisible()
}

test('service staff dispatch; the engineer accepts, arrives, suspends and resumes on the phone', async ({
  browser,
}) => {
  ;[engineerContext, engineer] = await openPhone(browser)
  await signInEngineer(engineer, 'engineer1')
  const me = await engineer.evaluate(() => localStorage.getItem('etorcurrentuser'))
  const { ID: orderId } = await findOrder()
  await putAsPage('workorder/v1/WorkOrder/Dispatch', {
    ID: orderId,
    HandlerID: objectOf(objectOf(JSON.parse(me ?? '{}')).Manager).ID,
  })
  // By the live connection, long before the list is requested again by itself.
  await expect(engineer.getByText(content)).toBeVisible({ timeout: 15_000 })
  await expectGoodLook(engineer, 'list')
  await engineer.getByText(content).click()
  await expect(engineer.getByRole('button', { name: '放大第 1 张图片' })).toBeVisible()
  await expectGoodLook(engineer, 'order')
  await engineer.getByRole('button', { name: '接单', exact: true }).click()
  await engineer.getByRole('button', { name: '到场', exact: true }).click()
  await expect(engineer.getByRole('heading', { name: '到场' })).toBeVisible()
  await engineer.getByRole('button', { name: '到场', exact: true }).click()
  await engineer.getByRole('button', { name: '挂起', exact: true }).click()
  await engineer.locator('form').getByRole('button', { name: '挂起', exact: true }).click()
  await expect(engineer.getByText('请填写原因，至少 2 个字')).toBeVisible()
  await engineer.getByRole('button', { name: '等待材料' }).click()
  await engineer.getByRole('button', { name: '明天 9 点' }).click()
  await expectGoodLook(engineer, 'suspend')
  await engineer.locator('form').getByRole('button', { name: '挂起', exact: true }).click()
  await expect(engineer.getByRole('button', { name: '恢复', exact: true })).toBeVisible()
  expect(idOf((await findOrder()).State)).toBe(45)
})

test('without a network a step is kept and counted, and sent once when there is one again', async () => {
  await engineerContext.setOffline(true)
  await engineer.getByRole('button', { name: '恢复', exact: true }).click()
  await expect(engineer.getByText('恢复待上传')).toBeVisible()
  await engineer.getByRole('button', { name: '返回' }).click()
  await expect(engineer.getByText('1 个步骤存在手机上，尚未上传')).toBeVisible()
  await expectGoodLook(engineer, 'waiting')
  // The phone ends the page; the step is sent when it is opened again.
  await engineer.close()
  await engineerContext.setOffline(false)
  engineer = await engineerContext.newPage()
  collectConsoleErrors(engineer, consoleErrors)
  await engineer.goto('/quality/workOrderManagement/mine')
  await expect(engineer.getByText(content)).toBeVisible()
  await expect(engineer.getByText(/存在手机上，尚未上传/)).toHaveCount(0)
  await expect.poll(async () => idOf((await findOrder()).State)).toBe(40)
  const order = await findOrder()
  const { Data } = await callAsPage(page, `WorkorderRecord/Get?OrderID=${idOf(order.ID)}&PageSize=50`)
  expect(rowsOf(Data).filter(record => idOf(record.Action) === 56)).toHaveLength(1)
})

/** Scrolls the element out from under the sticky buttons. */
async function expectAboveButtons(target: Locator): Promise<void> {
  const box = await target.boundingBox()
  const foot = await target.page().locator('.foot').boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0)
}

test('it is finished with a picture and parts from the price list', async () => {
  await engineer.getByText(content).click()
  await engineer.getByRole('button', { name: '完成', exact: true }).click()
  await engineer.getByRole('button', { name: '完成工单' }).click()
  await expect(engineer.getByText('请填写处理结果，至少 2 个字')).toBeVisible()
  await engineer.getByRole('button', { name: '已更换配件，使用正常' }).click()
  await engineer.getByRole('button', { name: '完成工单' }).click()
  await expect(engineer.getByText('请至少拍 1 张完成照片')).toBeVisible()
  await engineer.getByLabel('完成照片：相册').setInputFiles(picture)
  await expect(engineer.getByRole('img', { name: '完成照片 1' })).toBeVisible()
  await engineer.getByRole('button', { name: '添加费用' }).click()
  await engineer.locator('.prices li button').first().click()
  await engineer.locator('.prices li button').nth(1).click()
  // Enter of the keyboard never finishes the order; what is half typed is not left behind.
  await engineer.getByRole('searchbox', { name: '名称' }).fill('专用垫圈')
  await engineer.getByRole('searchbox', { name: '名称' }).press('Enter')
  await expect(engineer.getByLabel('单价（元）')).toBeFocused()
  await expectAboveButtons(engineer.getByRole('button', { name: '添加「专用垫圈」' }))
  await engineer.getByRole('button', { name: '完成工单' }).click()
  await expect(engineer.getByText('「专用垫圈」尚未添加到费用明细，请添加或取消')).toBeVisible()
  await engineer.getByLabel('单价（元）').fill('2.5')
  await engineer.getByLabel('单价（元）').press('Enter')
  await expect(engineer.getByLabel('专用垫圈 数量')).toHaveValue('1')
  await engineer.getByLabel('专用垫圈 数量').press('Enter')
  await engineer.getByRole('button', { name: '专用垫圈 减一' }).click()
  await engineer.getByRole('button', { name: '收起' }).click()
  await engineer.getByRole('button', { name: /加一$/ }).last().click()
  await expectGoodLook(engineer, 'finish')
  await engineerContext.setOffline(true)
  await engineer.getByRole('button', { name: '完成工单' }).click()
  await expect(engineer.getByText('完成待上传')).toBeVisible()
  await engineerContext.setOffline(false)
  await expect.poll(async () => idOf((await findOrder()).State)).toBe(50)
  // What was sent later is shown as the server has it: no step of before is offered again.
  await expect(engineer.getByText('完成待上传')).toHaveCount(0)
  await expect(engineer.getByRole('button', { name: '完成', exact: true })).toHaveCount(0)
  await expect(engineer.getByText('待验收').first()).toBeVisible()
})

test('the resident accepts, pays on the simulator and rates 2: a return visit is due', async () => {
  await resident.goto(orderUrl)
  await expect(resident.getByRole('button', { name: '验收通过' })).toBeVisible()
  await expectGoodLook(resident, 'check')
  await resident.getByRole('button', { name: '验收通过' }).click()
  await resident.getByRole('button', { name: /^支付 ¥/ }).click()
  await resident.getByRole('link', { name: '支付宝' }).click()
  await resident.getByRole('button', { name: '确认支付' }).click()
  await expect.poll(async () => idOf((await findOrder()).State), { timeout: 30_000 }).toBe(70)
  await resident.getByRole('link', { name: '返回商家' }).click()
  await expect(resident.getByText('已支付，谢谢')).toBeVisible({ timeout: 30_000 })
  await resident.getByRole('link', { name: '返回', exact: true }).click()
  await resident.getByRole('button', { name: '评价', exact: true }).click()
  for (const name of ['响应速度', '服务态度', '维修质量']) {
    await resident.getByRole('group', { name }).getByLabel('2 分').check({ force: true })
  }
  await expectGoodLook(resident, 'rate')
  await resident.getByRole('button', { name: '提交评价' }).click()
  await expect(resident.getByText('我的评价：2 分')).toBeVisible()
  const order = await findOrder()
  expect(idOf(order.Score)).toBe(2)
  const { Data } = await callAsPage(
    page,
    `workorder/v1/Visit/GetPagedList?ProjectCode=${project}&OrderID=${idOf(order.ID)}`,
  )
  expect(rowsOf(Data).map(visit => idOf(visit.State))).toEqual([10])
})

test('nothing personal of others is on the page of the resident', async () => {
  const text = await resident.locator('body').innerText()
  expect(text).not.toContain('13800001234')
  expect(text).not.toMatch(/工程甲|1[3-9]\d{9}/)
  expect(text).toContain('师傅')
})

/** Gives a colleague of the engineer, whose password nobody knows, the engineer's. */
const sharePassword = (from: string, to: string) =>
  withDatabase(db =>
    db.query(
      `update manager_secret s
       set password = known.password
       from manager m, manager k, manager_secret known
       where m.login_code = $2 and s.owner_id = m.owner_id and s.manager_id = m.id
         and k.login_code = $1 and known.owner_id = k.owner_id and known.manager_id = k.id`,
      [from, to],
    ),
  )

// Not the engineer to whom the journey beside this one gives its order.
test('an engineer pauses for two hours, and takes orders again', async ({ browser }) => {
  await sharePassword('engineer1', 'engineer12')
  const [context, colleague] = await openPhone(browser)
  await signInEngineer(colleague, 'engineer12')
  const duty = colleague.getByRole('switch', { name: /暂停接单/ })
  await duty.click()
  await colleague.getByRole('button', { name: '2 小时', exact: true }).click()
  await expect(duty).toBeChecked()
  await expectGoodLook(colleague, 'paused')
  await duty.click()
  await expect(duty).not.toBeChecked()
  await colleague.getByRole('button', { name: /^抢单 \d+$/ }).click()
  await expectGoodLook(colleague, 'pool')
  await context.close()
})
