import { defined } from '#kit/domain/defined.ts'
import { expect, it } from 'vitest'
import { routesOf } from '#kit/contract/call.ts'
import { contract } from './index.ts'

it('every call of the specification is served under its name', () => {
  const all = new Set(contract.calls.flatMap(routesOf))
  const named = [
    'POST Invoice/Open',
    'GET InvoiceSet/GetOwnerOne',
    'POST InvoiceSet/Post',
    'PUT InvoiceSet/Put',
    'GET InvoiceSet/GetProductList',
    'GET InvoiceGood/Get',
    'GET InvoiceGood/GetOne',
    'POST InvoiceGood/Post',
    'PUT InvoiceGood/Put',
    'DELETE InvoiceGood/Delete',
    'GET InvoiceRecord/Get',
    'POST InvoiceRecord/Post',
    'PUT InvoiceRecord/Put',
    'PUT InvoiceRecord/PutBack',
    'PUT InvoiceRecord/PutCancellation',
    'GET InvoiceRecord/GetDetail',
    'POST InvoiceRecord/KaiPiao',
    'POST InvoiceRecord/TuiHui',
    'GET InvoiceRecord/query',
    'GET InvoiceRecord/GetExport',
  ]
  expect(
    named.filter(n => !all.has(`${defined(n.split(' ')[0])} ${defined(n.split(' ')[1]).toLowerCase()}`)),
  ).toEqual([])
})
