import { call } from '#kit/contract/call.ts'
import { byId, byIdsWhy, draftOf, nothing, oneOf, pageOf, search } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { feePackage } from './relation.ts'

const may = menu.standard.may

export const listPackages = call({
  at: 'GET finance/v1/FeePackage/Get',
  names: ['finance/v1/FeePackage/GetPagedList'],
  title: '查询收费套餐',
  needs: may.view,
  input: search(feePackage, ['createTime']),
  output: pageOf(feePackage),
})

export const onePackage = call({
  at: 'GET finance/v1/FeePackage/GetOne',
  title: '查看收费套餐',
  needs: may.view,
  input: byId,
  output: oneOf(feePackage),
})

export const addPackage = call({
  at: 'POST finance/v1/FeePackage/Post',
  title: '新增收费套餐',
  needs: may.add,
  input: draftOf(feePackage),
  output: oneOf(feePackage),
  affects: ['feePackage'],
})

export const editPackage = call({
  at: 'PUT finance/v1/FeePackage/Put',
  title: '编辑收费套餐',
  needs: may.edit,
  input: draftOf(feePackage),
  output: oneOf(feePackage),
  affects: ['feePackage'],
})

export const deletePackages = call({
  at: 'DELETE finance/v1/FeePackage/Delete',
  title: '删除收费套餐',
  needs: may.del,
  input: byIdsWhy,
  output: nothing,
  affects: ['feePackage'],
})
