library(stats)

# Fits a line.
fit_line <- function(x, y) {
  lm(y ~ x)
}

plot.fit = function(f, ...) NULL
limit <- 10
