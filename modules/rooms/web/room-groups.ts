import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import type { Room } from '../contract/room.ts'
import type { RoomKind } from './room-kinds.ts'

const positionGroup: DetailGroup<Room> = {
  title: '位置',
  keys: ['estateName', 'buildName', 'unitName', 'floorNum', 'roomNo', 'code'],
}

const areaGroup: DetailGroup<Room> = {
  title: '面积与计费',
  keys: ['buildArea', 'innerArea', 'shareArea', 'chargeArea', 'feeRatio'],
}

const usageGroup: DetailGroup<Room> = {
  title: '交付与使用',
  keys: ['roomState', 'useType', 'deliverDate', 'checkinDate', 'decorateBegin', 'decorateEnd', 'state'],
}

const otherGroup: DetailGroup<Room> = {
  title: '其他',
  keys: ['ownerCertNo', 'remark', 'createTime', 'updateTime'],
}

const groupsByKind: Record<RoomKind, readonly DetailGroup<Room>[]> = {
  room: [
    positionGroup,
    { title: '房屋', keys: ['roomType', 'layout', 'orientation'] },
    areaGroup,
    usageGroup,
    otherGroup,
  ],
  shop: [positionGroup, { title: '经营', keys: ['brand', 'industry'] }, areaGroup, usageGroup, otherGroup],
}

/** What a detail shows of a room, or of a shop. */
export const detailGroupsOf = (kind: RoomKind): readonly DetailGroup<Room>[] => groupsByKind[kind]
