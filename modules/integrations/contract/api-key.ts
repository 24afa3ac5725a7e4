import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choiceTable, day, flag, int, list, lookup, moment, ref, text } from '#kit/contract/field.ts'
import {
  draftOf,
  extendShape,
  listOfRows,
  noData,
  reasonField,
  recordIdField,
  recordOf,
  shape,
} from '#kit/contract/shape.ts'
import { menuFields } from '#modules/accounts/contract/permission.ts'
import { menu } from '../module.ts'

const { permissions } = menu.key
const reported = { immutable: true, hiddenIn: ['form', 'filter', 'sheet'] } as const
const inDetail = { immutable: true, hiddenIn: ['table', 'form', 'filter', 'sheet'] } as const
const inForm = { hiddenIn: ['table', 'filter', 'sheet'] } as const

export const apiKeyState = choiceTable('ApiKeyState', '密钥状态', {
  valid: [10, '有效', 'done'],
  revoked: [20, '已吊销', 'off'],
})

export const keyRateLimits = { min: 1, max: 6000, initial: 600 } as const

/**
 * A key of the company, with which a program makes calls as a person does: within its permissions and
 * projects. The key itself is known to its holder alone.
 */
export const apiKey = entity(
  'apiKey',
  '接口密钥',
  { table: 'api_key', tenancy: 'company', title: 'name', order: ['state', '-id'] },
  {
    name: text('名称', {
      required: true,
      max: 30,
      searchable: true,
      help: '用途或对接的系统，如「财务系统」',
    }),
    visibleStart: text('密钥', { max: 20, searchable: true, ...reported }),
    permissions: list('权限', { required: true, min: 1, max: 5000, ...inForm }),
    allProject: flag('全部项目', { required: true, initial: false, help: '包括以后新增的项目', ...inForm }),
    projectCodes: list('项目', {
      max: 2000,
      dataDomain: 'project',
      wire: 'Projectcodes',
      target: 'estate',
      targetBy: 'key',
      ...inForm,
    }),
    showPrivacy: flag('查看完整手机号、证件号', {
      required: true,
      initial: false,
      help: '列表中仍部分隐藏，逐条查看并记录',
      ...inForm,
    }),
    expireDate: day('有效期至', { help: '当日仍有效；不填为长期有效' }),
    perMinute: int('每分钟次数', {
      required: true,
      initial: keyRateLimits.initial,
      min: keyRateLimits.min,
      max: keyRateLimits.max,
      hiddenIn: ['table', 'filter', 'sheet'],
      help: '超过后本分钟内的调用被拒绝（429）',
    }),
    state: choice('状态', apiKeyState, { required: true, initial: 'valid', immutable: true }),
    creatorId: ref('创建人', 'manager', { required: true, ...reported }),
    creatorName: lookup('创建人', 'creatorId', 'realName', { wire: 'CreatorName' }),
    callCount: int('调用次数', { required: true, initial: 0, max: Number.MAX_SAFE_INTEGER, ...reported }),
    lastTime: moment('最近调用', reported),
    lastIp: text('最近地址', { max: 60, ...reported }),
    revokeTime: moment('吊销时间', inDetail),
    revokeReason: text('吊销原因', { max: 200, ...inDetail }),
  },
)

export type ApiKey = Row<typeof apiKey>

export const reportedKeys = [
  'visibleStart',
  'state',
  'creatorId',
  'callCount',
  'lastTime',
  'lastIp',
  'revokeTime',
  'revokeReason',
] as const

export const apiKeys = crud(apiKey, {
  path: 'ApiKey',
  permissions,
  operations: ['list', 'get', 'edit'],
  filters: ['state', 'name', 'creatorId', 'expireDate'],
  without: reportedKeys,
})

export const { list: listApiKeys, get: getApiKey, edit: editApiKey } = apiKeys

/** Returns the key itself, once: only its digest is stored. */
export const addApiKey = call({
  route: 'POST ApiKey/Post',
  title: '新增接口密钥',
  needs: permissions.add,
  affects: ['apiKey'],
  input: draftOf(apiKey, reportedKeys),
  output: extendShape(recordOf(apiKey), { secret: text('密钥', { required: true }) }),
})

/** At once, on every server process; it cannot be taken back. */
export const revokeApiKey = call({
  route: 'POST ApiKey/Revoke',
  title: '吊销接口密钥',
  needs: permissions.revoke,
  affects: ['apiKey'],
  input: shape({ id: recordIdField, reason: reasonField }),
  output: noData,
})

/** Every menu that a key can be granted; the maker of a key grants no permission that the maker lacks. */
export const listKeyPermissions = call({
  route: 'GET ApiKey/GetMenuTree',
  title: '可授予接口密钥的权限',
  needs: permissions.view,
  input: noData,
  output: listOfRows(menuFields),
})

/** What a key did, call by call. Kept by month, for `API_KEY_LOG_DAYS`. */
export const apiKeyCall = entity(
  'apiKeyCall',
  '调用记录',
  { table: 'api_key_call', tenancy: 'company', title: 'title', order: ['-createTime', '-id'] },
  {
    keyId: ref('接口密钥', 'apiKey', { required: true }),
    keyName: lookup('密钥名称', 'keyId', 'name', { wire: 'KeyName' }),
    call: text('接口', { required: true, max: 120, searchable: true }),
    title: text('操作', { required: true, max: 120, searchable: true }),
    code: int('结果码', { required: true }),
    tookMs: int('用时', { required: true, unit: '毫秒' }),
    ip: text('来源地址', { required: true, max: 60, searchable: true }),
    requestId: text('请求编号', { required: true, max: 40, searchable: true, hiddenIn: ['table'] }),
  },
)

export type ApiKeyCallRow = Row<typeof apiKeyCall>

/** Those of the last seven days, unless another time is asked. */
export const apiKeyCalls = crud(apiKeyCall, {
  path: 'ApiKeyCall',
  permissions,
  operations: ['list'],
  filters: ['keyId', 'code'],
  search: {
    createTimeFrom: moment('调用时间起'),
    createTimeTo: moment('调用时间止'),
    onlyFailed: flag('只看失败'),
  },
})

export const { list: listApiKeyCalls } = apiKeyCalls
