/** A screen of the payments, which know the bills and not the other way round. */
export const cashierPath = '/finance/chargemanage/cashier'

/** The cashier with the bills of one object open; `typeCode` is the code of its source type. */
export const cashierAddress = (
  typeCode: string | number,
  sourceCode: string | undefined,
  projectCode?: string,
): string => {
  const code = encodeURIComponent(sourceCode ?? '')
  const project = projectCode === undefined ? '' : `&project=${encodeURIComponent(projectCode)}`
  return `${cashierPath}?type=${typeCode}&code=${code}${project}`
}
