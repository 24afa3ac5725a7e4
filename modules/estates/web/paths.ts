/** Where the screens of other modules are that this one leads to. */
export const paths = {
  /** Of the rooms. */
  roomBoard: '/service/data/roomboard',
  /** Of the fees. */
  areaFeeStandards: '/service/data/PublicAreaManage/addPublicFeescale',
} as const
