import { paths } from './paths.ts'

/** The path of the page for entering readings on a phone. */
export const phoneReadingPath = (project: string): string =>
  `${paths.phoneReading}?project=${encodeURIComponent(project)}`

/** Whether this is a phone itself: it needs no code to be scanned by another. */
export const isPhoneWidth = (): boolean => matchMedia('(max-width: 430px)').matches
