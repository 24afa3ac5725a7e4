import type { ReactNode } from 'react'
import type { MenuSection } from '#kit/contract/module.ts'

const paths = (...d: readonly string[]): ReactNode => d.map((x, i) => <path key={i} d={x} />)

/** Line drawings on a 24 grid, stroke 1.6, in the colour of the text. */
const drawings = {
  work: paths('M4 11 12 4l8 7', 'M6 9.5V20h12V9.5', 'M10 20v-6h4v6'),
  fee: paths(
    'M4 6h16v14H4z',
    'M8 3.5V8M16 3.5V8',
    'M9.5 10.5 12 13.5l2.5-3',
    'M12 13.5V18M9.8 14h4.4M9.8 16h4.4',
  ),
  people: paths(
    'M9 3.5h6v5H9z',
    'M3.5 15.5h6v5h-6z',
    'M14.5 15.500h6v5h-6z',
    'M12 8.500V12M6.5 15.500V12h11v3.5',
  ),
  service: paths(
    'M4.5 15v-3a7.5 7.5 0 0 1 15 0v3',
    'M4.5 14h2.700v5.500H6A1.5 1.5 0 0 1 4.5 18z',
    'M19.5 14h-2.700v5.500H18a1.5 1.5 0 0 0 1.5-1.500z',
  ),
  access: paths(
    'M19.5 9.500a5 5 0 1 1-10 0 5 5 0 0 1 10 0z',
    'M10.8 13 4 19.800M6.5 17.300l2 2',
    'M14.5 9.500h.01',
  ),
  device: paths(
    'M4 4h16v16H4z',
    'M8 7.500v9M12 7.500v9M16 7.500v9',
    'M6.7 10h2.600M10.7 14h2.600M14.7 9.500h2.6',
  ),
  site: paths(
    'M12 21s-7-6.3-7-11.300a7 7 0 0 1 14 0C19 14.7 12 21 12 21z',
    'M14.5 9.800a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z',
  ),
  internal: paths(
    'M12.5 8a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0z',
    'M3 20c0-4 2.5-6.5 6-6.500s6 2.5 6 6.5',
    'M15 4.800a3.5 3.5 0 0 1 0 6.400M17 13.900c2.4.8 4 3 4 6.1',
  ),
  ticket: paths(
    'M4 11.500V5a1 1 0 0 1 1-1h6.500L20.5 13 13 20.500z',
    'M8.5 8.500h.01',
    'M11.5 12.500l3 3M14 10',
  ),
  stat: paths('M4 20h16', 'M6.5 20v-6M11 20V5M15.5 20v-9M19 20v-12'),
  files: paths('M7 18.500h10.500a4 4 0 0 0 .6-7.950A6 6 0 0 0 6.6 9.7 4.450 4.450 0 0 0 7 18.500z'),
  setting: paths(
    'M12 3.200l1.6 2.3 2.7-.6.6 2.7 2.4 1.5-1 2.6 1 2.6-2.4 1.5-.6 2.7-2.7-.6L12 20.200l-1.6-2.3-2.7.6-.6-2.7-2.4-1.5 1-2.6-1-2.6 2.4-1.5.6-2.7 2.7.6z',
    'M14.8 11.700a2.8 2.8 0 1 1-5.6 0 2.8 2.8 0 0 1 5.6 0z',
  ),
  star: paths('M12 3.800l2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z'),
  search: paths('M17 10.500a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0z', 'M15.3 15.3 20 20'),
  tasks: paths('M4 6.500h.01M4 12h.01M4 17.500h.01', 'M8.5 6.500H20M8.5 12H20M8.5 17.500H15'),
  bell: paths('M6 16.500V11a6 6 0 0 1 12 0v5.500l1.5 1.500h-15z', 'M10 20.500h4', 'M12 5V3.5'),
  help: paths(
    'M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0z',
    'M9.7 9.700a2.4 2.4 0 1 1 3.5 2.100c-.8.4-1.2.9-1.2 1.8',
    'M12 16.600h.01',
  ),
  close: paths('M6 6l12 12M18 6 6 18'),
  down: paths('M6 9.500l6 6 6-6'),
  left: paths('M14.5 6l-6 6 6 6'),
  right: paths('M9.5 6l6 6-6 6'),
  collapse: paths('M12.5 6l-6 6 6 6', 'M18.5 6l-6 6 6 6'),
  pin: paths('M9 4h6l-.6 5.500L17.5 13h-11l3.1-3.500z', 'M12 13v7'),
  more: paths('M5.5 12h.01M12 12h.01M18.5 12h.01'),
  user: paths('M15.5 8a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0z', 'M5 20c0-4 3-6.5 7-6.500s7 2.5 7 6.5'),
  building: paths('M5 20.500V4.500h9v16', 'M14 9.500h5v11', 'M3 20.500h18', 'M8 8.500h3M8 12h3M8 15.500h3'),
  grid: paths('M4.5 4.500h6v6h-6zM13.5 4.500h6v6h-6zM4.5 13.500h6v6h-6zM13.5 13.500h6v6h-6z'),
  file: paths('M6.5 3.500h7l4 4v13h-11z', 'M13.5 3.500v4h4', 'M9 12h6M9 15.500h6'),
  car: paths(
    'M4 16v-4.500l2-5.500h12l2 5.500V16z',
    'M4 11.500h16',
    'M6 16v2.500M18 16v2.5',
    'M7.5 13.800h.01M16.5 13.800h.01',
  ),
  wrench: paths(
    'M14.5 6.500a4 4 0 0 1 5-1.500L17 7.500l.5 2 2 .5L22 7.5',
    'M19.8 10.500a4 4 0 0 1-5.3 1.200L7 19.200a1.8 1.8 0 0 1-2.5-2.500L12 9.2',
  ),
  clock: paths('M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0z', 'M12 7v5.200l3.5 2'),
  download: paths('M12 4v11M7.5 11l4.5 4.500L16.5 11', 'M4.5 17.500v2.500h15v-2.5'),
  refresh: paths('M19.5 12a7.5 7.5 0 1 1-2.2-5.3', 'M19.5 3.800v4.400h-4.4'),
  enter: paths('M19 6v6H6', 'M9.5 8.5 6 12l3.5 3.5'),
  image: paths('M4 5h16v14H4z', 'M4 15.500l4.5-4.5 4 4 3-3 4.5 4.5', 'M15.5 9h.01'),
  lock: paths('M5.5 10.500h13v9.500h-13z', 'M8.5 10.500V7.500a3.5 3.5 0 0 1 7 0v3'),
  check: paths('M5 12.500l4.5 4.500L19 7'),
} satisfies Record<MenuSection, ReactNode> & Record<string, ReactNode>

export type IconName = keyof typeof drawings

/** Dots are drawn as tiny strokes with round caps, so `more` and the like need no fill. */
export function Icon({
  name,
  size = 18,
  filled,
}: {
  readonly name: IconName
  readonly size?: number
  readonly filled?: boolean
}) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={filled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2.6 : 1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {drawings[name]}
    </svg>
  )
}

/** The logo: a house with one lit window. */
export const Mark = ({ size = 26 }: { readonly size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 28 28" fill="none" aria-hidden="true" focusable="false">
    <path
      d="M3 11.5 14 2.500l11 9V23a2.5 2.5 0 0 1-2.5 2.500h-17A2.5 2.5 0 0 1 3 23z"
      stroke="currentColor"
      strokeWidth="2.2"
      strokeLinejoin="round"
    />
    <rect x="8.5" y="12.5" width="4.6" height="4" rx="1" fill="currentColor" />
    <rect x="15" y="12.5" width="4.6" height="4" rx="1" fill="var(--age-2)" />
    <rect x="8.5" y="18.5" width="4.6" height="4" rx="1" fill="currentColor" />
    <rect x="15" y="18.5" width="4.6" height="4" rx="1" fill="currentColor" />
  </svg>
)
