/** Where the screens of other modules are that this one leads to. */
export const paths = {
  /** Of the fees. */
  placeFeeStandards: '/service/data/parklots/carportlist/addcarportfeescale',
} as const
