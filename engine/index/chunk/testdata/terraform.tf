variable "region" {
  default = "eu"
}

# The bucket.
resource "aws_s3_bucket" "logs" {
  bucket = "logs"
  tags = {
    team = "x"
  }
}

locals {
  name = "shop"
}
