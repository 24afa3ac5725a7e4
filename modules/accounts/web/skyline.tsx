/**
 * A street of houses at dusk, drawn from a table: where each stands, how wide and high, and which windows are
 * lit.
 */
interface House {
  readonly x: number
  readonly w: number
  readonly h: number
  readonly near: boolean
  readonly lit: readonly number[]
}

const houses: readonly House[] = [
  { x: -30, w: 130, h: 415, near: false, lit: [13, 40] },
  { x: 131, w: 92, h: 505, near: false, lit: [14] },
  { x: 252, w: 151, h: 340, near: false, lit: [] },
  { x: 433, w: 105, h: 468, near: false, lit: [] },
  { x: 590, w: 108, h: 378, near: false, lit: [1, 12] },
  { x: 722, w: 110, h: 450, near: false, lit: [7, 10, 24] },
  {
    x: 40,
    w: 178,
    h: 385,
    near: true,
    lit: [2, 11, 18, 22, 24, 27, 43, 46, 47, 50, 55, 57, 62, 63, 73, 86, 88],
  },
  { x: 247, w: 134, h: 288, near: true, lit: [8, 12, 15, 27, 33, 40, 45, 46] },
  { x: 413, w: 200, h: 432, near: true, lit: [3, 7, 17, 19, 22, 23, 28, 33, 42, 48, 60, 66, 82, 90, 97, 99] },
  { x: 645, w: 170, h: 336, near: true, lit: [2, 8, 15, 21, 27, 30, 38, 44, 51, 56] },
]

const groundY = 900
const windowStep = { x: 30.5, y: 24.5 }
const windowSize = { w: 14, h: 12 }

function Windows({ house }: { readonly house: House }) {
  const columns = Math.floor((house.w - 6) / windowStep.x)
  const rows = Math.floor((house.h - 18) / windowStep.y)
  const top = groundY - house.h + 16
  const left = house.x + (house.w - columns * windowStep.x + windowStep.x - windowSize.w) / 2
  return (
    <>
      {Array.from({ length: columns * rows }, (_, i) => {
        const on = house.lit.includes(i)
        return (
          <rect
            key={i}
            className={on ? (i % 5 === 3 ? 'pale' : 'lit') : 'dark'}
            x={left + (i % columns) * windowStep.x}
            y={top + Math.floor(i / columns) * windowStep.y}
            width={windowSize.w}
            height={windowSize.h}
            rx={1.5}
          />
        )
      })}
    </>
  )
}

/** The picture beside the sign-in form. It says nothing to a screen reader. */
export function Skyline() {
  return (
    <svg
      className="skyline"
      viewBox="0 0 806 900"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
      focusable="false"
    >
      {houses.map(house => (
        <g key={house.x} className={house.near ? 'near' : 'far'}>
          <rect className="facade" x={house.x} y={groundY - house.h} width={house.w} height={house.h} />
          {house.near && (
            <rect
              className="roof"
              x={house.x - 3}
              y={groundY - house.h - 4}
              width={house.w + 6}
              height={4}
              rx={1}
            />
          )}
          <Windows house={house} />
        </g>
      ))}
    </svg>
  )
}

/** The product's sign: a roof over four windows, one of them lit. */
export const Logo = () => (
  <svg
    className="mark"
    width="36"
    height="36"
    viewBox="0 0 36 36"
    fill="none"
    stroke="currentColor"
    strokeWidth="2.6"
    strokeLinejoin="round"
    strokeLinecap="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d="M3 15.5 18 3l15 12.5M6 14v18.500h24V14" />
    {[
      [13, 17],
      [19, 17],
      [13, 23],
      [19, 23],
    ].map(([x, y], i) => (
      <rect
        key={i}
        className={i === 1 ? 'on' : 'off'}
        stroke="none"
        x={x}
        y={y}
        width="4.4"
        height="4.4"
        rx=".9"
      />
    ))}
  </svg>
)
