import type { Group } from '#kit/web/detail/detail-panel.tsx'
import type { KindName } from './kinds.ts'

const where: Group<any> = {
  title: '位置',
  keys: ['estateName', 'buildName', 'unitName', 'floorNum', 'roomNo', 'code'],
}

const areas: Group<any> = {
  title: '面积与计费',
  keys: ['buildArea', 'innerArea', 'shareArea', 'chargeArea', 'feeRatio'],
}

const days: Group<any> = {
  title: '交付与使用',
  keys: ['roomState', 'useType', 'deliverDate', 'checkinDate', 'decorateBegin', 'decorateEnd', 'state'],
}

const rest: Group<any> = { title: '其他', keys: ['ownerCertNo', 'remark', 'createTime', 'updateTime'] }

const kept: Record<KindName, readonly Group<any>[]> = {
  room: [where, { title: '房屋', keys: ['roomType', 'layout', 'orientation'] }, areas, days, rest],
  shop: [where, { title: '经营', keys: ['brand', 'industry'] }, areas, days, rest],
}

/** What a detail shows of a room, or of a shop. */
export const groupsOf = (kind: KindName): readonly Group<any>[] => kept[kind]
