interface KnownFacts {
  readonly title?: string | undefined
  readonly departmentId?: number | undefined
  readonly totalAmount?: number | undefined
  readonly isUrgent?: boolean | undefined
  readonly urgentReason?: string | undefined
  readonly needDate?: string | undefined
  readonly purpose?: string | undefined
}

/** What the conditions of a process ask of a request, as far as the form knows it. */
export const approvalFormOf = ({
  title,
  departmentId,
  totalAmount,
  isUrgent,
  urgentReason,
  needDate,
  purpose,
}: KnownFacts): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries({
      title,
      departmentId,
      totalAmount,
      isUrgent,
      urgentReason: isUrgent ? urgentReason : undefined,
      needDate,
      purpose,
    }).filter(([, value]) => value !== undefined && value !== ''),
  )
