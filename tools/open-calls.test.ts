import { expect, it } from 'vitest'
import { everyone } from '#kit/contract/call.ts'
import type { Field, Fields } from '#kit/contract/field.ts'
import { nestedFieldsOf } from '#kit/contract/value.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'

const calls = (await loadInstalledModules()).flatMap(m => [...m.contract.calls])

/**
 * Calls that need no right yet answer such fields. Only what is the asker's own, or stays closed by another
 * rule, may be here, with the reason.
 */
const tariff = "a tariff, printed on every bill; nobody's money"
const orderSubject = "refused unless the order's subject grants it (payments/server/order-lookup.ts)"
const hiddenMiddle = 'the middle of the telephone is hidden from everybody'
const approval =
  'shown to those alone who take part, or may see the approvals of the project (approvals/server/access.ts)'
const own = 'what the asker wrote himself'

const exceptions: Readonly<Record<string, string>> = {
  'GET finance/v1/FeeItem/GetPagedList': tariff,
  'GET PropertyFeeitem/GetByScene': tariff,
  'GET finance/v1/FeeStandard/Get': tariff,
  'GET PropertyFeestandard/GetByScene': tariff,
  'POST PropertyFeestandard/PostStandardTest': 'computed from what the asker typed',
  'GET Payment/H5Link': orderSubject,
  'GET Payment/getscanstate': orderSubject,
  'POST finance/v1/PayOrder/PostQuery': orderSubject,
  'POST Payment/GetPay': orderSubject,
  'PUT finance/v1/PayOrder/PutClose': orderSubject,
  'GET Payment/GetRecord_wxPay': orderSubject,
  'POST Payment/GetCardPay': orderSubject,
  'POST PropertySuggest/Post': own,
  'GET PropertySuggest/GetOwn': own,
  'GET User/GetPick': hiddenMiddle,
  'POST Usertoroom/GetUsersInRoom': hiddenMiddle,
  'GET ProcessInstance/GetOne': approval,
  'GET ProcessInstance/GetByBiz': approval,
  'GET ProcessInstance/GetMine': approval,
  'POST ProcessTask/PostAddSigner': approval,
  'POST ProcessTask/PostApprove': approval,
  'POST ProcessTask/PostRefuse': approval,
  'POST ProcessInstance/PostResubmit': approval,
  'POST ProcessInstance/Post': approval,
  'POST ProcessInstance/PostTerminate': approval,
  'POST ProcessTask/PostTransfer': approval,
  'POST ProcessInstance/PostWithdraw': approval,
  'GET Workbench/GetQueues':
    'each queue is shown to those alone who may do its work (system/server/work-queue.ts)',
}

const isBirthday = (key: string, label: string): boolean => /birth/i.test(key) || /生日|出生/.test(label)
const isBank = (key: string, label: string): boolean =>
  /bank|taxno/i.test(key) || /开户行|银行|税号/.test(label)

function sensitiveFields(fields: Fields, path = '', seen: readonly Fields[] = []): string[] {
  if (seen.includes(fields)) return []
  return Object.entries<Field>(fields).flatMap(([key, field]) => {
    const name = `${path}${key}`
    const isSensitive =
      field.masked !== undefined ||
      field.kind === 'money' ||
      isBank(key, field.label) ||
      isBirthday(key, field.label)
    const nested =
      field.kind === 'lines' || field.kind === 'part'
        ? sensitiveFields(nestedFieldsOf(field), `${name}.`, [...seen, fields])
        : []
    return [...(isSensitive ? [name] : []), ...nested]
  })
}

it('a call open to everyone returns no masked field, no money, no bank account and no birthday (PERM-3)', () => {
  const found = calls
    .filter(call => call.needs === everyone && !Object.hasOwn(exceptions, call.route))
    .map(call => ({ route: call.route, fields: sensitiveFields(call.output.fields) }))
    .filter(({ fields }) => fields.length > 0)
    .map(({ route, fields }) => `${route}: ${fields.join(' ')}`)
  expect(found).toEqual([])
})

it('every exception is still an open call with such a field', () => {
  const stale = Object.keys(exceptions).filter(route => {
    const call = calls.find(c => c.route === route)
    return !call || call.needs !== everyone || sensitiveFields(call.output.fields).length === 0
  })
  expect(stale).toEqual([])
})
