import { defineImport, type LineFault } from '#kit/server/crud-import.ts'
import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { openSheetPlaces, sheetPlaceFaults, sheetPlaceOptions } from '#modules/rooms/server/public.ts'
import { importMerchants, merchants, merchantState } from '../contract/merchant.ts'

const ownCodes = [
  ['merchantNo', '商户号'],
  ['loginAccount', '登录账号'],
] as const

export const merchantImport = defineImport(merchants, importMerchants, {
  match: ['name'],
  matchWhere: { name: sql`t.state <> ${code(merchantState, 'ended')}` },
  unique: ['merchantNo'],
  templateOptions: sheetPlaceOptions,
  load: (db, { scope, more }, lock) => openSheetPlaces(db, scope, more.projectCode, lock),
  references: { buildCode: (name, places) => places.buildingsNamed(name) },
  prepare: (_, { lines, data }) => data.loadRooms(lines.map(l => l.row)),
  rules: (row, there, { data, existingBy, firstLineBy }) => {
    const faults: LineFault[] = []
    const coded = existingBy('merchantNo', row.merchantNo)
    if (coded && coded.name !== row.name) {
      faults.push({
        column: 'merchantNo',
        says: `商户号已用于「${coded.name}」`,
        remedy: '换一个商户号，或留空自动生成',
      })
    } else if (there && row.merchantNo && row.merchantNo !== there.merchantNo) {
      faults.push({
        column: 'merchantNo',
        says: `该商家的商户号是「${there.merchantNo}」，不能修改`,
        remedy: '改回原来的，或留空',
      })
    }
    for (const [column, label] of ownCodes) {
      const other = firstLineBy(column, row[column])?.row.name
      if (other && other !== row.name) {
        faults.push({
          column,
          says: `表里另一商家「${other}」用了这个${label}`,
          remedy: `每个商家用不同的${label}`,
        })
      }
    }
    faults.push(...sheetPlaceFaults(data, row, '商铺', '补全，或都留空'))
    if (row.contactPhone?.includes('**')) {
      faults.push({ column: 'contactPhone', says: '电话含有星号', remedy: '填写完整的号码' })
    }
    return faults
  },
  values: (row, { data }) => {
    const shop = data.roomOf(row)
    return { ...row, roomId: shop?.id, buildCode: shop?.buildCode }
  },
  texts: { duplicate: '商户号、名称或登录账号与别的商家重复' },
})
