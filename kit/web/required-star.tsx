/** Marks a required field; for screen readers that is `aria-required`. */
export const RequiredStar = () => (
  <i className="required-star" aria-hidden>
    *
  </i>
)
