import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runAction } from './run-action.ts'
import { RequestFailure } from './send.ts'
import { Refused } from '#kit/contract/wire.ts'
import { asFen } from '#kit/domain/money.ts'
import { requiredConfirmText, validateChoice, validateReason } from './confirm.tsx'
import { formatSigned, displayYuan, displayYuanWithSymbol } from './numbers.tsx'
import { formatKeyEvent, isSubmitInSelect } from './shortcuts.ts'
import { reconnectDelay } from './live.ts'
import { palette, parsePaletteInput } from './command-palette.ts'
import { loadPinyinMatcher, matchPlain } from './pinyin.ts'
import { isIdle, needsRenewal } from './session-renewal.ts'
import { fakePage } from './fixtures.ts'
import { onHostNeeded, setToastHost, toast, type Toast } from './toast.ts'
import { isChunkFailure, reloadOnce } from './page-error.tsx'
import { todayWithWeekday, greeting, formatRelative, today } from './date-format.ts'
import { sortByUrgency } from './workbench.ts'

beforeEach(() => {
  fakePage()
})

afterEach(() => {
  setToastHost(undefined)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('Signed-value helper reports 数据非法 for invalid input', () => {
  const toasts: Toast[] = []
  setToastHost(shown => toasts.push(shown))
  expect([
    formatSigned(1.18),
    formatSigned('-3'),
    formatSigned(0),
    formatSigned(-0.004, 2),
    formatSigned(2, 2),
  ]).toEqual(['+1.18', '−3', '0', '0.00', '+2.00'])
  expect([formatSigned('x'), formatSigned(''), formatSigned(NaN)]).toEqual(['--', '--', '--'])
  expect(toasts.map(shown => shown.text)).toEqual(['数据非法', '数据非法', '数据非法'])
})

it('amounts on screen: thousands, a true minus, ¥ only when asked', () => {
  expect([
    displayYuan(asFen(126279)),
    displayYuan(asFen(-32000)),
    displayYuan(0),
    displayYuanWithSymbol(asFen(126279)),
    displayYuanWithSymbol(asFen(-5)),
  ]).toEqual(['1,262.79', '−320.00', '0.00', '¥1,262.79', '−¥0.05'])
})

it('toasts before the host is mounted are shown when it is', () => {
  const toasts: Toast[] = []
  toast.error('早')
  setToastHost(shown => toasts.push(shown))
  toast.undo('已删除', () => {})
  expect(toasts.map(shown => [shown.kind, shown.text, shown.seconds])).toEqual([
    ['error', '早', 5],
    ['success', '已删除', 8],
  ])
})

it('the first toast asks for the toast host, whether the page listens yet or not', () => {
  const calls: string[] = []
  toast.info('早')
  const stop = onHostNeeded(() => calls.push('waiting'))
  toast.info('再')
  stop()
  toast.info('晚')
  expect(calls).toEqual(['waiting', 'waiting'])
  const toasts: Toast[] = []
  setToastHost(shown => toasts.push(shown))
  expect(toasts.map(shown => shown.text)).toEqual(['早', '再', '晚'])
})

it('a token is renewed with less than half an hour left; an idle session ends by the company’s limit (PERM-10)', () => {
  const minute = 60_000
  expect([needsRenewal(7 * 60 * minute), needsRenewal(7.5 * 60 * minute + 1)]).toEqual([false, true])
  expect([isIdle(31 * minute, 30), isIdle(29 * minute, 30), isIdle(1e12, undefined)]).toEqual([
    true,
    false,
    false,
  ])
})

it('danger: above 100 records or ¥10,000 the count must be typed, a name where it is asked; reasons are 2 to 200 characters (G-10)', () => {
  expect([
    requiredConfirmText({ count: 100, amount: asFen(1_000_000) }),
    requiredConfirmText({ count: 101 }),
    requiredConfirmText({ count: 2, amount: asFen(1_000_001) }),
    requiredConfirmText({ count: 1, confirmText: '锦绣花园' }),
  ]).toEqual([undefined, '101', '2', '锦绣花园'])
  expect(
    [
      validateReason(' 错 '),
      validateReason('错账'),
      validateReason('错'.repeat(200)),
      validateReason('错'.repeat(201)),
    ].map(Boolean),
  ).toEqual([true, false, false, true])
})

it('keys are named the same whatever the layout and the input method', () => {
  const key = (k: Partial<KeyboardEvent>): string =>
    formatKeyEvent({
      key: '',
      code: '',
      ctrlKey: false,
      metaKey: false,
      altKey: false,
      shiftKey: false,
      ...k,
    })
  expect([
    key({ key: 'k', ctrlKey: true }),
    key({ key: 'k', metaKey: true }),
    key({ key: '?', shiftKey: true }),
    key({ key: '？', shiftKey: true }),
    key({ key: 'n' }),
    key({ key: 'ArrowDown', shiftKey: true }),
    key({ key: 'A', ctrlKey: true, shiftKey: true }),
    key({ key: ' ' }),
  ]).toEqual(['Ctrl K', 'Ctrl K', '?', '?', 'N', 'Shift ArrowDown', 'Ctrl Shift A', 'Space'])
  expect([
    key({ key: '∑', code: 'KeyW', altKey: true }),
    key({ key: '“', code: 'BracketLeft', altKey: true }),
    key({ key: '¡', code: 'Digit1', altKey: true }),
    key({ key: '【' }),
  ]).toEqual(['Alt W', 'Alt [', 'Alt 1', '['])
})

it('Ctrl Enter submits from a select, unless its list is open', () => {
  const select = (isOpen: boolean) => ({ querySelector: () => (isOpen ? {} : null) })
  expect(isSubmitInSelect('Ctrl Enter', select(false))).toBe(true)
  expect(isSubmitInSelect('Ctrl Enter', select(true))).toBe(false)
  expect(isSubmitInSelect('Enter', select(false))).toBe(false)
  expect(isSubmitInSelect('Ctrl Enter', null)).toBe(false)
})

it('the live connection comes back after 1, 2, 4 … 30 seconds, spread', () => {
  expect([
    reconnectDelay(0, 0.5),
    reconnectDelay(2, 0.5),
    reconnectDelay(9, 0.5),
    reconnectDelay(0, 0),
    reconnectDelay(0, 1),
  ]).toEqual([1, 4, 30, 0.75, 1.25])
})

it('a prefix limits the search, also right before a number; a name that begins with it does not', () => {
  palette.setGroups([
    { key: 'room', label: '房间', icon: 'building', prefix: { character: '房', name: '房间' } },
    { key: 'person', label: '住户', icon: 'user' },
    { key: 'car', label: '车辆', icon: 'car', prefix: { character: '车', name: '车牌' } },
    { key: 'paper', label: '单据', icon: 'file', prefix: { character: '单', name: '单号' } },
  ])
  expect([
    parsePaletteInput('房 1502'),
    parsePaletteInput('>收银'),
    parsePaletteInput('车主'),
    parsePaletteInput(' 单 ZD2026 '),
    parsePaletteInput('单2026-000001'),
    parsePaletteInput('单慧'),
    parsePaletteInput('yjg'),
  ]).toEqual([
    { group: 'room', screensOnly: false, text: '1502' },
    { group: undefined, screensOnly: true, text: '收银' },
    { group: undefined, screensOnly: false, text: '车主' },
    { group: 'paper', screensOnly: false, text: 'ZD2026' },
    { group: 'paper', screensOnly: false, text: '2026-000001' },
    { group: undefined, screensOnly: false, text: '单慧' },
    { group: undefined, screensOnly: false, text: 'yjg' },
  ])
})

it('screens and projects are found by characters, full pinyin and initials, polyphones in all their readings', async () => {
  const match = await loadPinyinMatcher()
  expect(
    [
      match('杨建国', 'yjg'),
      match('预警规则', 'yjg'),
      match('收银台', 'shouyin'),
      match('收银台', '银'),
      match('重庆里', 'chongqing'),
      match('长安里', 'changan'),
    ].map(positions => positions?.length),
  ).toEqual([3, 3, 2, 1, 2, 2])
  expect([
    match('杨建国', 'xyz'),
    match('房间管理', 'jianx'),
    matchPlain('B1-A区', 'b1'),
    matchPlain('x', ''),
  ]).toEqual([undefined, undefined, [0, 1], undefined])
})

it('moments near now are formatted relatively, in Shanghai', () => {
  const now = Date.parse('2026-11-20T10:54:00+08:00')
  expect([
    formatRelative(Date.parse('2026-11-20T00:01:00+08:00'), now),
    formatRelative(Date.parse('2026-11-19T17:52:00+08:00'), now),
    formatRelative(Date.parse('2026-11-18T09:12:00+08:00'), now),
    formatRelative(Date.parse('2025-12-31T23:59:00+08:00'), now),
  ]).toEqual(['今天 00:01', '昨天 17:52', '11-18 09:12', '2025-12-31'])
  expect([today(now), todayWithWeekday(now), greeting(now), greeting(now + 8 * 3_600_000)]).toEqual([
    '2026-11-20',
    '2026-11-20 周五',
    '早上好',
    '晚上好',
  ])
})

it('waiting items are sorted by urgency, then by count; zero is left out', () => {
  const item = (key: string, tone: 'bad' | 'todo' | 'open', count: number) => ({
    key,
    title: key,
    tone,
    count,
    actionLabel: '处理',
    path: '/',
  })
  expect(
    sortByUrgency([
      item('a', 'open', 9),
      item('b', 'todo', 2),
      item('c', 'bad', 1),
      item('d', 'todo', 6),
      item('e', 'bad', 0),
    ]).map(sorted => sorted.key),
  ).toEqual(['c', 'd', 'b', 'a'])
  expect(
    sortByUrgency([item('many', 'todo', 9), { ...item('money', 'todo', 1), hasAmount: true }]).map(
      sorted => sorted.key,
    ),
  ).toEqual(['money', 'many'])
  const emergency = { ...item('trapped', 'bad', 1), isEmergency: true }
  expect(
    sortByUrgency([item('late', 'bad', 9), { ...item('money', 'bad', 1), hasAmount: true }, emergency]).map(
      sorted => sorted.key,
    ),
  ).toEqual(['trapped', 'money', 'late'])
})

it('A failure to load a code chunk during navigation reloads the page, but not in a loop', () => {
  const reload = vi.fn()
  vi.stubGlobal('location', { reload })
  expect([
    isChunkFailure(new TypeError('Failed to fetch dynamically imported module: /assets/a.js')),
    isChunkFailure(new Error('Importing a module script failed.')),
    isChunkFailure(new Error('x is not a function')),
  ]).toEqual([true, true, false])
  expect([reloadOnce(), reloadOnce()]).toEqual([true, false])
  expect(reload).toHaveBeenCalledTimes(1)
})

it('a click whose request got no answer reports it; what was reported already is not reported twice (0§8)', async () => {
  const toasts: Toast[] = []
  setToastHost(shown => toasts.push(shown))
  const rejecting = (e: unknown) => () => Promise.reject(e)
  expect([
    await runAction(() => 'done'),
    await runAction(rejecting(new RequestFailure(0, '请求超时'))),
    await runAction(rejecting(new RequestFailure(503, ''))),
    await runAction(rejecting(new RequestFailure(401, '登录失效'))),
    await runAction(rejecting(new Refused(1, '不行'))),
  ]).toEqual([true, false, false, false, false])
  expect(toasts.map(shown => shown.text)).toEqual([
    '请求超时，无法连接服务器，请重试',
    '服务器繁忙（错误 503），请重试',
  ])
})

it('a question without a preset must be answered before a dangerous action', () => {
  const options = [{ value: 'rebill', label: '重新出账' }]
  const asked = { label: '账期处理', options }
  expect([undefined, 'rebill'].map(chosen => validateChoice(asked, chosen))).toEqual([
    '请选择账期处理',
    undefined,
  ])
  expect(validateChoice(undefined, undefined)).toBeUndefined()
})
