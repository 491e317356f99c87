/* Header-only target. */
