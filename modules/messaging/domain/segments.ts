const singleLength = 70
const partLength = 67

/** SMS-1: how many messages a text of so many characters counts as, its signature included. */
export const segmentsOfLength = (length: number): number =>
  length <= singleLength ? 1 : Math.ceil(length / partLength)

/** Characters as networks count them: one outside the basic plane counts twice. */
export const smsLength = (text: string, signName: string): number => `【${signName}】${text}`.length

export const segmentsOf = (text: string, signName: string): number =>
  segmentsOfLength(smsLength(text, signName))
