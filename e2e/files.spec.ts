import { writeFile } from 'node:fs/promises'
import { expect, test, type CDPSession, type Locator, type Page } from '@playwright/test'
import { button, defineJourney, toastOf, visibleText } from './page-actions.ts'

/** A journey that begins once more finds what it left behind. */
const stamp = String(Date.now() % 1_000_000).padStart(6, '0')
const folder = `上传测试 ${stamp}`
const record = (n: number): string => `记录 ${stamp}-${n}.txt`

let page: Page
let network: CDPSession | undefined
defineJourney(opened => {
  page = opened
})

const fileRow = (name: string | RegExp) =>
  page.getByRole('grid', { name: '文件' }).getByRole('row', { name }).filter({ visible: true })

const tasks = () => page.getByRole('region', { name: '上传任务' })

/** A file on disk keeps its time of change: by it the page knows the same file again. */
async function writeTestFile(name: string, bytes: Buffer): Promise<string> {
  const path = test.info().outputPath(name)
  await writeFile(path, bytes)
  return path
}

interface Network {
  readonly isOffline?: boolean
  readonly uploadSpeed?: number
}

/** Without a speed, in bytes a second, as fast as it goes. */
async function setNetwork({ isOffline = false, uploadSpeed = -1 }: Network): Promise<void> {
  network ??= await page.context().newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', {
    offline: isOffline,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: uploadSpeed,
  })
}

async function addFolder(name: string): Promise<void> {
  await button(page, '新建文件夹').click()
  const ordinary = page.getByRole('menuitem', { name: '普通目录' })
  const rename = page.getByLabel(/^重命名「新建文件夹/)
  await expect(ordinary.or(rename)).toBeVisible()
  if (await ordinary.isVisible()) {
    await ordinary.click()
  }
  await rename.fill(name)
  await rename.press('Enter')
  await expect(fileRow(name)).toBeVisible()
  await expect(page.getByRole('grid', { name: '文件' })).toBeFocused()
}

const openFolder = async (name: string): Promise<void> => {
  await fileRow(name).dblclick()
  await expect(page.getByRole('navigation', { name: '当前位置' }).getByText(name)).toBeVisible()
}

const waitUntilUploaded = (count: number): Promise<void> =>
  expect(tasks().getByText(`已上传 ${count}/${count}`)).toBeVisible({ timeout: 300_000 })

test('300 files are uploaded, the network is lost in between, and they go on', async () => {
  test.setTimeout(480_000)
  await page.goto('/wisdom/filemgr')
  await addFolder(folder)
  await openFolder(folder)
  const small = Array.from({ length: 299 }, (_, i) =>
    writeTestFile(record(i + 1), Buffer.from(`第 ${i + 1} 份`)),
  )
  const paths = await Promise.all([writeTestFile('大文件.bin', Buffer.alloc(24 * 1048576, 7)), ...small])
  await setNetwork({ uploadSpeed: 8 * 1048576 })
  await page.getByLabel('选择要上传的文件').setInputFiles(paths)
  await expect(tasks()).toBeVisible()
  await setNetwork({ isOffline: true })
  await expect(tasks().getByText('网络中断，恢复后自动续传').first()).toBeVisible({ timeout: 30_000 })
  await expect(tasks().getByText('等待网络').first()).toBeVisible()
  await expect(tasks().getByText('正在上传')).toHaveCount(0, { timeout: 15_000 })
  await setNetwork({})
  await waitUntilUploaded(300)
  await expect(page.getByText('共 300 项')).toBeVisible()
  await button(tasks(), '清除已结束').click()
})

test('a file that would be refused is reported at once', async () => {
  await page
    .getByLabel('选择要上传的文件')
    .setInputFiles([{ name: '照片.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(2048 * 1024 + 1) }])
  await expect(toastOf(page, /图片不能超过 2048 KB/)).toBeVisible()
  await button(tasks(), '清除已结束').click()
})

test('a large upload stops and goes on where it stopped, also after the page was reloaded', async () => {
  test.setTimeout(180_000)
  const path = await writeTestFile('续传.bin', Buffer.alloc(40 * 1048576, 3))
  await setNetwork({ uploadSpeed: 4 * 1048576 })
  await page.getByLabel('选择要上传的文件').setInputFiles(path)
  await expect(tasks().getByText(/^[1-9]\d?% ·/)).toBeVisible({ timeout: 30_000 })
  await button(tasks(), '暂停「续传.bin」').click()
  await expect(tasks().getByText('已暂停')).toBeVisible()
  await setNetwork({})
  await page.reload()
  await expect(tasks().getByText('上次未传完，重新选择此文件即可续传')).toBeVisible()
  const resumed = page.waitForRequest(
    request => request.method() === 'PATCH' && request.url().includes('/api/upload/'),
  )
  await page.getByLabel('选择未传完的文件').setInputFiles(path)
  expect(Number((await resumed).headers()['upload-offset'])).toBeGreaterThan(0)
  await waitUntilUploaded(1)
  await button(tasks(), '清除已结束').click()
})

/** Until the answer is there the rows are those of before. */
async function findOne(keyword: string): Promise<void> {
  await page.getByLabel('搜索文件').fill(keyword)
  await expect(page.getByText(`搜索「${keyword}」`)).toBeVisible()
  await expect(visibleText(page, '共 1 项')).toBeVisible()
}

test('a name is changed in place, a label is put on and found', async () => {
  const name = `停车场收费公示 ${stamp}.txt`
  await findOne(record(7))
  await fileRow(record(7)).click()
  await page.keyboard.press('F2')
  await page.getByLabel(`重命名「${record(7)}」`).fill(name)
  await page.keyboard.press('Enter')
  await page.getByLabel('搜索文件').fill('tccsfgs')
  await expect(page.getByText('搜索「tccsfgs」')).toBeVisible()
  await expect(fileRow(name)).toBeVisible()
  await findOne(`公示 ${stamp}`)
  await fileRow(name).click()
  await page.getByLabel('添加标签').fill(`标签${stamp}`)
  await page.keyboard.press('Enter')
  await expect(page.getByText('1/10，回车保存')).toBeVisible()
  await findOne(`标签${stamp}`)
  await button(page, '返回文件夹').click()
})

/** Two clicks as slow as somebody's hand, each on what is under the mouse then. */
async function clickTwice(name: string, pauseMs: number): Promise<void> {
  const box = await fileRow(name).boundingBox()
  if (!box) throw new Error(`${name} is not shown`)
  await page.mouse.move(box.x + box.width / 2, box.y + 50)
  await page.mouse.down({ clickCount: 1 })
  await page.mouse.up({ clickCount: 1 })
  await page.waitForTimeout(pauseMs)
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
}

test('a slow double click opens what was clicked: nothing moves under the hand', async () => {
  await page.setViewportSize({ width: 1280, height: 900 })
  for (const pauseMs of [150, 300, 400]) {
    const inner = `双击 ${stamp}-${pauseMs}`
    await addFolder(inner)
    await clickTwice(inner, pauseMs)
    await expect(page.getByRole('navigation', { name: '当前位置' }).getByText(inner)).toBeVisible()
    await expect(page.getByRole('complementary', { name: '文件夹信息' })).toHaveCount(0)
    await button(page, '返回上一级').click()
    await expect(fileRow(inner)).toBeVisible()
  }
})

test('a folder bears a label, and several are downloaded as one zip', async () => {
  const inner = `双击 ${stamp}-150`
  await fileRow(inner).click()
  await page.getByLabel('添加标签').fill(`夹${stamp}`)
  // What was typed stays with its folder: another shows none of it.
  await fileRow(`双击 ${stamp}-300`).click()
  await expect(page.getByLabel('添加标签')).toHaveValue('')
  await fileRow(inner).click()
  await expect(page.getByLabel('添加标签')).toHaveValue(`夹${stamp}`)
  await page.getByLabel('添加标签').press('Enter')
  await expect(page.getByText('1/10，回车保存')).toBeVisible()
  await findOne(`夹${stamp}`)
  await button(page, '返回文件夹').click()
  await fileRow(record(3)).click()
  await fileRow(record(4)).click({ modifiers: ['Control'] })
  await button(page, '下载').click()
  const dialog = page.getByRole('dialog').filter({ hasText: '下载2 项' })
  await expect(dialog.getByText(/共 2 个文件，.*KB/)).toBeVisible()
  const download = page.waitForEvent('download')
  await button(dialog, '下载').click()
  expect((await download).suggestedFilename()).toMatch(/等2项\.zip$/)
  await expect(dialog).toHaveCount(0)
  // The bar of the space is there on a small screen, too.
  await expect(page.getByRole('progressbar', { name: '空间用量' })).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('a share is opened by a stranger with its code, and ends when it is revoked', async ({ browser }) => {
  await fileRow(record(1)).click()
  await button(page, '分享').click()
  await button(page, '创建链接').click()
  const dialog = page.getByRole('dialog').filter({ hasText: '分享' })
  const link = await dialog.getByLabel('分享链接').inputValue()
  const code = /提取码 (\w{6})/.exec((await dialog.textContent()) ?? '')?.[1] ?? ''
  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(link)
  await stranger.getByLabel('请输入提取码').fill('ZZZZZZ')
  await button(stranger, '打开').click()
  await expect(stranger.getByText('提取码不正确，请重新输入')).toBeVisible()
  await stranger.getByLabel('请输入提取码').fill(code)
  await button(stranger, '打开').click()
  const download = stranger.waitForEvent('download')
  await button(stranger, `下载「${record(1)}」`).click()
  expect((await download).suggestedFilename()).toBe(record(1))
  await button(dialog, '撤销').click()
  await button(page.getByRole('dialog').filter({ hasText: '撤销分享' }).last(), '撤销分享').click()
  await expect(toastOf(page, '已撤销分享')).toBeVisible()
  await button(dialog, '完成').click()
  await stranger.reload()
  await expect(stranger.getByText('链接不存在或已失效，请联系分享人')).toBeVisible()
  await stranger.context().close()
})

/** Expects list and toolbar to fit the width of a phone, with the details of a row under its name. */
async function expectReadableOnPhone(list: Locator, toolbar: string, detail: RegExp): Promise<void> {
  const before = page.viewportSize()
  await page.setViewportSize({ width: 360, height: 740 })
  await expect(list.getByRole('row').last()).toContainText(detail)
  const overflow = (target: Locator) => target.evaluate(box => box.scrollWidth - box.clientWidth)
  await expect.poll(() => overflow(list)).toBe(0)
  await expect.poll(() => overflow(page.getByRole('toolbar', { name: toolbar }))).toBe(0)
  if (before) {
    await page.setViewportSize(before)
  }
}

test('what comes out of the bin without its folder is at the top', async () => {
  await button(page, '列表').click()
  await expectReadableOnPhone(page.getByRole('grid', { name: '文件' }), '文件操作', /\d{4}-\d\d-\d\d/)
  await button(page, '平铺').click()
  await fileRow(record(2)).click()
  await page.keyboard.press('Delete')
  await button(page.getByRole('dialog'), '删除').click()
  await expect(toastOf(page, `已删除「${record(2)}」，10 天内可从回收站还原`)).toBeVisible()
  await button(page, '返回上一级').click()
  await fileRow(folder).click()
  await button(page, '删除').click()
  await button(page.getByRole('dialog'), '删除').click()
  await expect(fileRow(folder)).toHaveCount(0)
  await button(page, /^回收站/).click()
  const bin = page.getByRole('grid', { name: '回收站' })
  // A row says where it was, too: its name comes first.
  const entry = (name: string) => bin.getByRole('row', { name: new RegExp(`^选择「${name}」`) })
  await expect(entry(folder)).toContainText('9 天')
  await expect(entry(record(2))).toContainText(`全部文件 / ${folder}`)
  await expectReadableOnPhone(bin, '回收站操作', /剩余 \d/)
  const pick = (name: string) => entry(name).getByRole('checkbox').click()
  await pick(folder)
  await button(page, '彻底删除').click()
  await button(page.getByRole('dialog'), /^彻底删除/).click()
  await expect(page.getByText('与「1」不一致')).toBeVisible()
  await page.getByRole('dialog').getByRole('textbox').fill('1')
  await button(page.getByRole('dialog'), /^彻底删除/).click()
  await expect(toastOf(page, `已彻底删除「${folder}」`)).toBeVisible()
  await pick(record(2))
  await button(page, '还原').click()
  await expect(toastOf(page, `还原成功：「${record(2)}」`)).toBeVisible()
  await button(page, '返回').click()
  await page.goto('/wisdom/filemgr')
  await expect(fileRow(record(2))).toBeVisible()
})
