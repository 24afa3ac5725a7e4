interface KnownFacts {
  readonly title?: string | undefined
  readonly departmentId?: number | undefined
  readonly totalAmount?: number | undefined
  readonly isUrgent?: boolean | undefined
  readonly needDate?: string | undefined
}

/** What the conditions of a process ask of a request, as far as the form knows it. */
export const approvalFormOf = ({
  title,
  departmentId,
  totalAmount,
  isUrgent,
  needDate,
}: KnownFacts): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries({ title, departmentId, totalAmount, isUrgent, needDate }).filter(
      ([, value]) => value !== undefined && value !== '',
    ),
  )
