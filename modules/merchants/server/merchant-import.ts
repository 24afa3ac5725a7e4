import { defineImport, type LineFault } from '#kit/server/crud-import.ts'
import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { openSheetPlaces, sheetPlaceFaults, sheetPlaceOptions } from '#modules/rooms/server/public.ts'
import { importMerchants, merchants, merchantState } from '../contract/merchant.ts'

export const merchantImport = defineImport(merchants, importMerchants, {
  match: ['name'],
  matchWhere: { name: sql`t.state <> ${code(merchantState, 'ended')}` },
  unique: ['merchantNo'],
  templateOptions: sheetPlaceOptions,
  load: (db, { scope, extraInput }, lock) => openSheetPlaces(db, scope, extraInput.projectCode, lock),
  references: { buildCode: (name, places) => places.buildingsNamed(name) },
  prepare: (_, { lines, data }) => data.loadRooms(lines.map(l => l.row)),
  rules: (row, _, { data, firstLineBy }) => {
    const faults: LineFault[] = []
    const other = firstLineBy('loginAccount', row.loginAccount)?.row.name
    if (other && other !== row.name) {
      faults.push({
        column: 'loginAccount',
        message: `表中另一商户「${other}」已使用该登录账号`,
        remedy: '每个商户用不同的登录账号',
      })
    }
    faults.push(...sheetPlaceFaults(data, row, '商铺', '补全，或都不填'))
    if (row.contactPhone?.includes('**')) {
      faults.push({ column: 'contactPhone', message: '电话含有星号', remedy: '填写完整的号码' })
    }
    return faults
  },
  values: (row, { data }) => {
    const shop = data.roomOf(row)
    return { ...row, roomId: shop?.id, buildCode: shop?.buildCode }
  },
  texts: { duplicate: '商户号、名称或登录账号与其他商户重复' },
})
