import { licencePlateKind } from '#modules/parking/contract/licence-plate.ts'

interface Read {
  readonly plateNo: string | undefined
  readonly confidence: number
  readonly isOffline: boolean
}

/**
 * Why a person must look at a reading before it counts; nothing where it may. A plate that is not read for
 * sure opens for nobody, month cars neither: it may be another's. One that is reported afterwards has passed.
 */
export function checkReason(
  { plateNo, confidence, isOffline }: Read,
  minConfidence: number,
): string | undefined {
  if (isOffline) return undefined
  if (plateNo === undefined) return '未识别到车牌'
  if (licencePlateKind(plateNo) === undefined) return '车牌格式不正确，请核对车牌'
  return confidence < minConfidence ? `可信度 ${confidence}%，请核对车牌` : undefined
}
