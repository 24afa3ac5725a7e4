import { paths } from './paths.ts'

/** Where readings are entered on a phone. */
export const phoneReadingPath = (project: string): string =>
  `${paths.phoneReading}?project=${encodeURIComponent(project)}`

/** Whether this is a phone itself: it needs no code to be scanned by another. */
export const isPhoneWidth = (): boolean => matchMedia('(max-width: 430px)').matches
