/** Where the screens of this module are, and those of other modules that they lead to. */
export const paths = {
  phoneReading: '/intelligentMeter/checkmeter/mobilemeterreading',
  /** Of the bills. */
  bills: '/finance/chargemanage/chargeList',
} as const
