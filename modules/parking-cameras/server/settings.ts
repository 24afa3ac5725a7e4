import { declareSetting, integerBetween } from '#modules/estates/server/public.ts'

/** PRK-62 */
export const minConfidenceSetting = declareSetting({
  key: 'parkingCameras.minConfidence',
  label: '车牌可信度下限',
  help: '识别的可信度低于此百分数的，由岗亭核对车牌后放行',
  defaultValue: '80',
  check: integerBetween('车牌可信度下限', 0, 100),
})
