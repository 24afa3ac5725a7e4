import { call } from '#kit/contract/call.ts'
import { byId, byIdsWithReason, draftOf, noData, recordOf, pageOf, search } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { feePackage } from './relation.ts'

const permissions = menu.standard.permissions

export const listPackages = call({
  route: 'GET finance/v1/FeePackage/Get',
  aliases: ['finance/v1/FeePackage/GetPagedList'],
  title: '查询收费套餐',
  needs: permissions.view,
  input: search(feePackage, ['createTime']),
  output: pageOf(feePackage),
})

export const getPackage = call({
  route: 'GET finance/v1/FeePackage/GetOne',
  title: '查看收费套餐',
  needs: permissions.view,
  input: byId,
  output: recordOf(feePackage),
})

export const addPackage = call({
  route: 'POST finance/v1/FeePackage/Post',
  title: '新增收费套餐',
  needs: permissions.add,
  input: draftOf(feePackage),
  output: recordOf(feePackage),
  affects: ['feePackage'],
})

export const editPackage = call({
  route: 'PUT finance/v1/FeePackage/Put',
  title: '编辑收费套餐',
  needs: permissions.edit,
  input: draftOf(feePackage),
  output: recordOf(feePackage),
  affects: ['feePackage'],
})

export const deletePackages = call({
  route: 'DELETE finance/v1/FeePackage/Delete',
  title: '删除收费套餐',
  needs: permissions.del,
  input: byIdsWithReason,
  output: noData,
  affects: ['feePackage'],
})
