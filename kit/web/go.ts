/** Moving about from outside the components: the router lends its hand when it stands. */
type Go = (to: string, how?: { readonly replace?: boolean }) => void
let hand: Go | undefined

export const lendGo = (g: Go | undefined): void => {
  hand = g
}

export const go: Go = (to, how) => {
  if (hand) {
    hand(to, how)
  } else if (how?.replace) {
    location.replace(to)
  } else {
    location.assign(to)
  }
}

/** The whole current address within the site, as `redirect` carries it. */
export const here = (): string => location.pathname + location.search + location.hash
